/* What every page of the scorepad does, and what comes along where a page wants it. */

import "./phone/start.js";
import { letGoOfAccount } from "./phone/kept.js";
import { all, find, need, tapped } from "./dom.js";
import { startKeys } from "./keys.js";
import { startMenu } from "./menu.js";
import "./theme.js";

const QUIET = 4000; // milliseconds after which the page is thought to be idle

/** What only some pages need, by the part that tells them.
 * @type {Record<string, () => Promise<unknown>>} */
const WANTED = {
  "[data-entry]": () => import("./entry.js"),
  "[data-live]": () => import("./sheet.js"),
  ".clock": () => import("./clock.js"),
  "[data-share]": () => import("./share.js"),
  "[data-trick]": () => import("./pieces.js"),
  "[data-new-match]": () => import("./seats.js"),
  "[data-install-offer]": () => import("./installing.js"),
  "[data-workerless] [data-without-https]": () => import("./without_https.js"),
  "[data-bring]": () => import("./phone/moving.js"),
};
/** Whatever a match may come to without a network. */
const OF_A_MATCH = ["[data-entry]", "[data-live]", ".clock", "[data-share]"];

/* Without it pages are typed into, or loaded anew. */
/** @param {string[]} parts */
const fetchParts = (parts) => parts.forEach((part) => WANTED[part]().catch(() => {}));
const fetchWanted = () => fetchParts(Object.keys(WANTED).filter((part) => find(document, part)));

/* The codes come when they are asked for. */
function offerCodes() {
  const button = find(document, "[data-hand-over]");
  if (button && "CompressionStream" in window) button.hidden = false;
}

/** @param {Event} event */
async function handOver(event) {
  if (!tapped(event, "[data-hand-over]")) return;
  const { showCodes } = await import("./phone/moving.js");
  await showCodes(need(document, "[data-codes]"));
}

/* The page to sign in, and the one after a sign-out: nobody is signed in here. */
function forgetAccount() {
  const hasLeft = location.search === "?signed-out";
  if (hasLeft) history.replaceState(history.state, "", location.pathname);
  if (!hasLeft && !find(document, "[data-signed-out]")) return;
  letGoOfAccount().catch((error) => console.warn("Still held:", error));
}

function begin() {
  fetchWanted();
  offerCodes();
  for (const element of all(document, "[data-no-script]")) element.hidden = true;
}
document.addEventListener("tricky:drawn", begin);
for (const news of ["htmx:afterSwap", "tricky:workerless"]) document.addEventListener(news, fetchWanted);
document.addEventListener("click", (event) => handOver(event).catch((error) => console.warn("No codes:", error)));
startKeys();
startMenu();
begin();
forgetAccount();
setTimeout(() => fetchParts(OF_A_MATCH), QUIET);
