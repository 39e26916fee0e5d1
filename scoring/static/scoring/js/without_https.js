/* What a phone cannot do without https that it trusts: said once, until somebody has understood it. */

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

/** Whether https is there and this phone does not trust it: then it lets no worker in, though the page was let through. */
const isStrange = () =>
  navigator.serviceWorker?.register("/sw.js").then(() => false, (/** @type {Error} */ error) => error.name === "SecurityError");

async function say() {
  const aside = find(document, "[data-without-https]");
  if (!aside || !aside.hidden || navigator.serviceWorker?.controller || wasUnderstood()) return;
  if (isSecureContext && !(await isStrange())) return;
  const { plainPort = "" } = aside.dataset;
  need(aside, isSecureContext ? "[data-is-strange]" : "[data-is-plain]").hidden = false;
  const how = need(aside, "[data-how]");
  if (isSecureContext && plainPort) {
    how.hidden = false;
    need(how, "a").setAttribute("href", `http://${location.hostname}:${plainPort}/trust/`);
  }
  aside.hidden = false;
  need(aside, "[data-understood]").addEventListener("click", () => {
    localStorage.setItem(UNDERSTOOD, "1");
    aside.hidden = true;
  });
}

const sayIt = () => say().catch((error) => console.warn("Not said:", error));
document.addEventListener("tricky:drawn", sayIt);
sayIt();
