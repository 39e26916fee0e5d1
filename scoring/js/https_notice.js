/* Explains what a phone can't do without trusted https. Shown until it is dismissed. */

import { find, findRequired } from "./dom.js";

const DISMISSED = "tricky-without-https-understood";

/** Whether it was dismissed on this phone; true without storage, so that it isn't shown on every page. */
function wasDismissed() {
  try {
    return localStorage.getItem(DISMISSED) === "1";
  } catch {
    return true;
  }
}

function showNotice() {
  if (!("noServiceWorker" in document.documentElement.dataset)) return;
  const aside = find(document, "[data-https-notice]");
  if (!aside || !aside.hidden || wasDismissed()) return;
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
    localStorage.setItem(DISMISSED, "1");
    aside.hidden = true;
  });
}

for (const name of ["tricky:drawn", "tricky:workerless"]) document.addEventListener(name, showNotice);
showNotice();
