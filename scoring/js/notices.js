/* Notices above a page: what a phone can't do without trusted https, and once the offer to add the app to the home screen. */

import { find, findRequired, onEachPage, readStorage, writeStorage } from "./browser.js";

/* Shown until it is dismissed. */

const DISMISSED = "tricky-without-https-understood";

onEachPage("tricky:drawn tricky:workerless", () => {
  if (!("noServiceWorker" in document.documentElement.dataset)) return;
  const aside = find(document, "[data-https-notice]");
  // Without storage it would be shown on every page.
  if (!aside || !aside.hidden || readStorage(DISMISSED) !== null) return;
  const { plainPort = "" } = aside.dataset;
  // Without a trust page, https fails for another reason.
  if (isSecureContext && !plainPort) return;
  findRequired(aside, isSecureContext ? "[data-untrusted-https]" : "[data-plain-http]").hidden = false;
  if (isSecureContext) {
    const instructions = findRequired(aside, "[data-instructions]");
    instructions.hidden = false;
    findRequired(instructions, "a").setAttribute("href", `http://${location.hostname}:${plainPort}/trust/`);
  }
  aside.hidden = false;
  findRequired(aside, "[data-dismiss-button]").addEventListener("click", () => {
    writeStorage(DISMISSED, "1");
    aside.hidden = true;
  });
});

/* The install page explains how. */

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
