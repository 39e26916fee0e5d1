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
  if (!("workerless" in document.documentElement.dataset)) return;
  const aside = find(document, "[data-without-https]");
  if (!aside || !aside.hidden || wasDismissed()) return;
  const { plainPort = "" } = aside.dataset;
  // Without a trust page, https fails for another reason.
  if (isSecureContext && !plainPort) return;
  findRequired(aside, isSecureContext ? "[data-is-strange]" : "[data-is-plain]").hidden = false;
  if (isSecureContext) {
    const instructions = findRequired(aside, "[data-how]");
    instructions.hidden = false;
    findRequired(instructions, "a").setAttribute("href", `http://${location.hostname}:${plainPort}/trust/`);
  }
  aside.hidden = false;
  findRequired(aside, "[data-understood]").addEventListener("click", () => {
    localStorage.setItem(DISMISSED, "1");
    aside.hidden = true;
  });
}

for (const name of ["tricky:drawn", "tricky:workerless"]) document.addEventListener(name, showNotice);
showNotice();
