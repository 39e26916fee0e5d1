/* The desk is never silent: calls stand in the title of the tab, and are heard where that is wanted.

   What comes next follows other directors too, but never under the fingers of whoever fills a field. */

import { startPushOffer } from "./push_offer.js";
import { startSound } from "./ring.js";

const title = document.title;
const sound = startSound("tricky-desk-sound");

const calls = () => Number(/** @type {HTMLElement | null} */ (document.querySelector("[data-calls]"))?.dataset.calls ?? 0);
let known = calls();

function tell() {
  const now = calls();
  document.title = now ? `(${now}) ${title}` : title;
  document.documentElement.dataset.called = String(now);
  if (now > known) sound();
  known = now;
}

/** Milliseconds by which the host's clock is ahead, as tables tell that were drawn just now. */
let lead = 0;
/** @type {HTMLElement | null} */
let round = null;
function readClock() {
  const now = /** @type {HTMLElement | null} */ (document.querySelector(".round[data-now]"));
  if (now && now !== round) lead = Date.parse(now.dataset.now ?? "") - Date.now();
  round = now;
}

/* Says on each card how many minutes ago its table was heard of. */
function countMinutes() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-since]"))) {
    const { since = "", ago = "", atOnce = "" } = place.dataset;
    const minutes = Math.floor((Date.now() + lead - Date.parse(since)) / 60000);
    const text = minutes > 0 ? ago.replace("{minutes}", String(minutes)) : atOnce;
    if (place.textContent !== text) place.textContent = text;
  }
}

/* What somebody writes, or is about to choose, stays as it is. */
/** @param {Element} next */
function isBusy(next) {
  const fields = /** @type {HTMLInputElement[]} */ ([...next.querySelectorAll("input:not([type=hidden]), select, textarea")]);
  const isWritten = fields.some(({ type, value, defaultValue }) => type !== "select-one" && value !== (defaultValue ?? ""));
  return isWritten || (next.contains(document.activeElement) && document.activeElement?.matches("input, select, textarea"));
}

document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (isBusy(detail.target)) detail.shouldSwap = false;
});
/* What somebody has opened stays open when the tables are drawn anew. */
/** @type {string[]} */
let opened = [];
document.addEventListener("htmx:beforeSwap", () => {
  opened = [...document.querySelectorAll("details[open][id]")].map(({ id }) => id);
});
document.addEventListener("htmx:afterSwap", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  tell();
  readClock();
  countMinutes();
});
tell();
readClock();
// A card may have been drawn for somebody else some minutes ago.
countMinutes();
setInterval(countMinutes, 1000);
startPushOffer();
