/* The desk: shows the number of calls in the title of the tab, and plays a sound if wanted. Updates never replace a field
   that somebody is filling in. */

import { find, findAll, findInputs, listen } from "../../scoring/js/browser.js";
import { startPushOffer } from "./push_offer.js";
import { startSound } from "./sound.js";

const title = document.title;
const playSound = startSound("tricky-desk-sound");

const countCalls = () => Number(find(document, "[data-call-count]")?.dataset.callCount ?? 0);
let knownCount = countCalls();

function announceCalls() {
  const now = countCalls();
  document.title = now ? `(${now}) ${title}` : title;
  if (now > knownCount) playSound();
  knownCount = now;
}

/** How far the server's clock is ahead, in milliseconds. */
let serverOffset = 0;
/** @type {HTMLElement | null} */
let lastRound = null;
function updateServerOffset() {
  const now = find(document, ".round[data-server-time]");
  if (now && now !== lastRound) serverOffset = Date.parse(now.dataset.serverTime ?? "") - Date.now();
  lastRound = now;
}

/* Updates the minutes since the last activity of each table. */
function updateMinutes() {
  for (const place of findAll(document, "[data-timestamp]")) {
    const { timestamp = "", minutesAgoText = "", justNowText = "" } = place.dataset;
    const minutes = Math.floor((Date.now() + serverOffset - Date.parse(timestamp)) / 60000);
    const text = minutes > 0 ? minutesAgoText.replace("{minutes}", String(minutes)) : justNowText;
    if (place.textContent !== text) place.textContent = text;
  }
}

/** @param {Element} next */
function isBusy(next) {
  const fields = findInputs(next, "input:not([type=hidden]), select, textarea");
  const hasChanges = fields.some(({ type, value, defaultValue }) => type !== "select-one" && value !== (defaultValue ?? ""));
  return hasChanges || (next.contains(document.activeElement) && document.activeElement?.matches("input, select, textarea"));
}

listen("htmx:oobBeforeSwap", ({ detail }) => {
  if (isBusy(detail.target)) detail.shouldSwap = false;
});
/* Open details stay open after an update. */
/** @type {string[]} */
let openDetails = [];
listen("htmx:beforeSwap", () => {
  openDetails = findAll(document, "details[open][id]").map(({ id }) => id);
});
listen("htmx:afterSwap", () => {
  for (const id of openDetails) document.getElementById(id)?.setAttribute("open", "");
  announceCalls();
  updateServerOffset();
  updateMinutes();
});
announceCalls();
updateServerOffset();
// A cached card may be some minutes old.
updateMinutes();
setInterval(updateMinutes, 1000);
startPushOffer();
