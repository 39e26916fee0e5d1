/* Offers once to add the app to the home screen; the install page explains how. */

import { find, onEachPage, readStorage, writeStorage } from "./browser.js";

const SEEN = "tricky-install-offered";
const isInstalled = () => matchMedia("(display-mode: standalone)").matches || "standalone" in navigator && navigator.standalone === true;

/** Whether it was not offered before; false without storage, so that it is never offered twice. */
const isFirstOffer = () => readStorage(SEEN) === null && writeStorage(SEEN, "1");

onEachPage("tricky:drawn", () => {
  const aside = find(document, "[data-install-offer]");
  if (!aside || isInstalled() || !isFirstOffer()) return;
  aside.hidden = false;
  find(aside, "[data-install-dismiss]")?.addEventListener("click", () => (aside.hidden = true));
});

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
