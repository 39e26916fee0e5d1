/* What every page of the scorepad does, and what comes along where a page wants it. */

import "./phone/start.js";
import { all, find } from "./dom.js";
import { startKeys } from "./keys.js";
import { startMenu } from "./menu.js";

const QUIET = 4000; // milliseconds after which the page is thought to be idle

const fetchEntry = () => import("./entry.js").catch(() => {});
const fetchSheet = () => import("./sheet.js").catch(() => {});

/* What only some pages need comes with them; without it they are typed into, or loaded anew. */
function fetchWanted() {
  if (find(document, "[data-entry]")) fetchEntry();
  if (find(document, "[data-live], [data-share], .clock")) fetchSheet();
  if (find(document, "[data-trick]")) import("./pieces.js").catch(() => {});
  if (find(document, "[data-new-match]")) import("./seats.js").catch(() => {});
  if (find(document, "[data-install-offer]")) import("./installing.js").catch(() => {});
  if (find(document, "[data-hand-over], [data-bring]")) import("./phone/moving.js").catch(() => {});
}

function begin() {
  fetchWanted();
  for (const element of all(document, "[data-no-script]")) element.hidden = true;
}
document.addEventListener("tricky:drawn", begin);
startKeys();
startMenu();
begin();
// The next hand, and the sheet after it, may have to be drawn without a network.
setTimeout(() => (fetchEntry(), fetchSheet()), QUIET);
