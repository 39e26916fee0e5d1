/* Offers once to add the app to the home screen; the install page explains how. */

import { find } from "./dom.js";

const SEEN = "tricky-install-offered";
const isInstalled = () => matchMedia("(display-mode: standalone)").matches || "standalone" in navigator && navigator.standalone === true;

/** Whether it was offered before; true without storage, so that it is never offered twice. */
function wasOffered() {
  try {
    const seen = localStorage.getItem(SEEN);
    localStorage.setItem(SEEN, "1");
    return Boolean(seen);
  } catch {
    return true;
  }
}

function showOffer() {
  const aside = find(document, "[data-install-offer]");
  if (!aside || isInstalled() || wasOffered()) return;
  aside.hidden = false;
  find(aside, "[data-install-dismiss]")?.addEventListener("click", () => (aside.hidden = true));
}

/* Some browsers have a prompt of their own. */
addEventListener("beforeinstallprompt", (event) => {
  const prompt = find(document, "[data-install-prompt]");
  const instructions = find(document, "[data-install-fallback]");
  if (!prompt || !instructions) return;
  event.preventDefault();
  prompt.hidden = false;
  instructions.hidden = true;
  prompt.addEventListener("click", () => /** @type {Event & { prompt(): Promise<unknown> }} */ (event).prompt());
});
document.addEventListener("tricky:drawn", showOffer);
showOffer();
