/* What a phone cannot do without https that it trusts, where that is so: said once, until somebody has
   understood it. */

import { find, need } from "./dom.js";

const UNDERSTOOD = "tricky-without-https-understood";

/** Whether somebody has read it here; where nothing can be remembered it is not said at all. */
function wasUnderstood() {
  try {
    return localStorage.getItem(UNDERSTOOD) === "1";
  } catch {
    return true;
  }
}

function say() {
  if (!("workerless" in document.documentElement.dataset)) return;
  const aside = find(document, "[data-without-https]");
  if (!aside || !aside.hidden || wasUnderstood()) return;
  const { plainPort = "" } = aside.dataset;
  // Where no page tells how it is trusted, something else than trust is missing.
  if (isSecureContext && !plainPort) return;
  need(aside, isSecureContext ? "[data-is-strange]" : "[data-is-plain]").hidden = false;
  if (isSecureContext) {
    const how = need(aside, "[data-how]");
    how.hidden = false;
    need(how, "a").setAttribute("href", `http://${location.hostname}:${plainPort}/trust/`);
  }
  aside.hidden = false;
  need(aside, "[data-understood]").addEventListener("click", () => {
    localStorage.setItem(UNDERSTOOD, "1");
    aside.hidden = true;
  });
}

for (const news of ["tricky:drawn", "tricky:workerless"]) document.addEventListener(news, say);
say();
