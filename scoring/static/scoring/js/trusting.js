/* The first page of a host with an authority of its own: once this phone trusts that, it leads over. */

import { find } from "./dom.js";

const AGAIN = 3000; // milliseconds after which it is asked once more
const { answers = "", leadsTo = "" } = document.body.dataset;
let isAsking = false;

/** Whether https works from this phone. What is answered cannot be read, that it is can be seen. */
const works = () => fetch(answers, { mode: "no-cors", cache: "no-store" }).then(() => true, () => false);

/* What stands behind # came along in a code, and no server sees it. */
function leadOver() {
  const line = find(document, "[data-on]");
  if (line) line.textContent = line.dataset.on ?? "";
  if (leadsTo) location.replace(leadsTo + location.hash);
}

async function ask() {
  if (isAsking || document.hidden) return;
  isAsking = true;
  if (await works()) return leadOver();
  isAsking = false;
}

// Whoever comes back from the settings of the phone is led over at once.
for (const news of ["pageshow", "focus"]) addEventListener(news, ask);
document.addEventListener("visibilitychange", ask);
setInterval(ask, AGAIN);
ask();
