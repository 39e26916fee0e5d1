/* The page on plain http of a site with its own certificate authority: goes to https once this phone trusts that. */

import { find } from "./browser.js";

const INTERVAL = 3000; // milliseconds between two attempts
const { healthUrl = "", httpsUrl = "" } = document.body.dataset;
let isChecking = false;

/** Whether https works from this phone. The answer can't be read, but an error can be seen. */
const canReachHttps = () => fetch(healthUrl, { mode: "no-cors", cache: "no-store" }).then(() => true, () => false);

/* The part behind # came from a QR code and is never sent to a server. */
function goToHttps() {
  const line = find(document, "[data-success-text]");
  if (line) line.textContent = line.dataset.successText ?? "";
  if (httpsUrl) location.replace(httpsUrl + location.hash);
}

async function checkHttps() {
  if (isChecking || document.hidden) return;
  isChecking = true;
  if (await canReachHttps()) return goToHttps();
  isChecking = false;
}

// So that nobody has to tap again after coming back from the settings of the phone.
for (const name of ["pageshow", "focus"]) addEventListener(name, checkHttps);
document.addEventListener("visibilitychange", checkHttps);
setInterval(checkHttps, INTERVAL);
checkHttps();
