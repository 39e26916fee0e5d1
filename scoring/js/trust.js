/* The page on plain http next to a site with an authority of its own: leads to https once this phone trusts it. */

import { find } from "./dom.js";

const INTERVAL = 3000; // milliseconds between two attempts
const { healthUrl = "", httpsUrl = "" } = document.body.dataset;
let isAsking = false;

/** Whether https works from this phone. The answer can't be read, but an error can be seen. */
const canReachHttps = () => fetch(healthUrl, { mode: "no-cors", cache: "no-store" }).then(() => true, () => false);

/* What stands behind # came along in a code, and no server sees it. */
function goToHttps() {
  const line = find(document, "[data-on]");
  if (line) line.textContent = line.dataset.on ?? "";
  if (httpsUrl) location.replace(httpsUrl + location.hash);
}

async function ask() {
  if (isAsking || document.hidden) return;
  isAsking = true;
  if (await canReachHttps()) return goToHttps();
  isAsking = false;
}

// Back from the settings of the phone it needs no further tap.
for (const news of ["pageshow", "focus"]) addEventListener(news, ask);
document.addEventListener("visibilitychange", ask);
setInterval(ask, INTERVAL);
ask();
