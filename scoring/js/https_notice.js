/* Explains what a phone can't do without trusted https. Shown until it is dismissed. */

import { find, findRequired, onEachPage, readStorage, writeStorage } from "./browser.js";

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
