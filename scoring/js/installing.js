/* Onto the home screen: offered once, and taken up at the page that says how. */

import { find } from "./dom.js";

const SEEN = "tricky-install-offered";
const isInstalled = () => matchMedia("(display-mode: standalone)").matches || "standalone" in navigator && navigator.standalone === true;

/** Whether it was offered before; where nothing can be remembered it is not offered at all. */
function wasOffered() {
  try {
    const seen = localStorage.getItem(SEEN);
    localStorage.setItem(SEEN, "1");
    return Boolean(seen);
  } catch {
    return true;
  }
}

function offer() {
  const aside = find(document, "[data-install-offer]");
  if (!aside || isInstalled() || wasOffered()) return;
  aside.hidden = false;
  find(aside, "[data-install-not]")?.addEventListener("click", () => (aside.hidden = true));
}

/* Some browsers ask by themselves, where a page lets them. */
addEventListener("beforeinstallprompt", (asked) => {
  const now = find(document, "[data-install-now]");
  const otherwise = find(document, "[data-install-else]");
  if (!now || !otherwise) return;
  asked.preventDefault();
  now.hidden = false;
  otherwise.hidden = true;
  now.addEventListener("click", () => /** @type {Event & { prompt(): Promise<unknown> }} */ (asked).prompt());
});
document.addEventListener("tricky:drawn", offer);
offer();
