/* Updates a sheet, or the news in an open form, by polling: often after a change, less often later. */

import { find, findAll, findRequired, formatTime, listen } from "./browser.js";
import { phoneName } from "./keys.js";

const MINUTE = 60000;
const GONE = 404;
const BUSY = 503;

/** Returns the milliseconds until the next poll.
 * @param {number} quiet milliseconds since the last change @param {number} chance from 0 to 1 */
export function pollDelay(quiet, chance) {
  const pause = quiet >= 30 * MINUTE ? 15000 : quiet < 5 * MINUTE ? 1200 : 5000;
  return pause * (0.9 + chance * 0.2);
}

let pollTimer = 0;

/** Polls while the page is visible.
 * @param {HTMLElement} live @param {AbortSignal} signal */
function startPolling(live, signal) {
  // Not the system clock, which may be changed.
  let changedAt = performance.now();
  function poll() {
    clearTimeout(pollTimer);
    const isVisible = !document.hidden && live.isConnected;
    // The server cannot show entries that this phone has not sent yet.
    if (!isVisible || document.documentElement.dataset.unsentEntries) return;
    window.htmx.trigger(live, "poll");
    pollTimer = window.setTimeout(poll, pollDelay(performance.now() - changedAt, Math.random()));
  }
  live.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.elt !== live) return;
    const sheet = findRequired(live, "[data-version]");
    const mark = sheet.dataset.rematch ?? find(document, ".notices")?.dataset.noticesVersion;
    detail.parameters.v = [sheet.dataset.version, mark].filter(Boolean).join(".");
    detail.parameters.phone = phoneName();
  });
  live.addEventListener("htmx:beforeSwap", (event) => {
    // An answer for the previous page would take preserved elements from the current one.
    if (!live.isConnected) event.preventDefault();
  });
  live.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
    if (xhr?.status === 200) changedAt = performance.now();
    if (xhr?.status !== BUSY) return;
    // A busy server says when to try again.
    const seconds = Number(xhr.getResponseHeader("Retry-After")) || 2;
    clearTimeout(pollTimer);
    pollTimer = window.setTimeout(poll, seconds * 1000 * (1 + Math.random() / 2));
  });
  for (const name of ["focus", "online", "offline", "pageshow"]) window.addEventListener(name, poll, { signal });
  listen("visibilitychange tricky:outbox", poll, { signal });
  poll();
}

/** Highlights the rows of hands that others have just entered.
 * @param {HTMLElement} live */
function markNewHands(live) {
  const hands = () => findAll(live, "tr[data-hand]");
  /** @type {Set<string | undefined>} */
  let known = new Set();
  live.addEventListener("htmx:beforeSwap", () => (known = new Set(hands().map(({ dataset }) => dataset.hand))));
  live.addEventListener("htmx:afterSwap", () => {
    for (const row of hands()) row.classList.toggle("is-new", !known.has(row.dataset.hand));
  });
}

/** Updates the title in the bar, if an update has one.
 * @param {HTMLElement} live */
function updateHeading(live) {
  live.addEventListener("htmx:afterSwap", () => {
    const heading = find(live, "[data-heading]")?.dataset.heading;
    if (heading) findRequired(document, ".bar h1").textContent = heading;
  });
}

/** Shows since when the connection is lost, or that the match was deleted.
 * @param {HTMLElement} live */
function showConnectionLoss(live) {
  const connection = findRequired(document, "#connection");
  let lastAnswerAt = new Date();
  live.addEventListener("htmx:afterRequest", ({ detail: { successful, xhr } }) => {
    if (successful) lastAnswerAt = new Date();
    const { deletedText = "", lostText = "" } = connection.dataset;
    const isDeleted = xhr?.status === GONE;
    connection.toggleAttribute("data-deleted", isDeleted);
    // Only when needed, because formatting a time is slow on old phones.
    const failure = () => (isDeleted ? deletedText : lostText.replace("{time}", formatTime(lastAnswerAt)));
    const words = successful ? "" : failure();
    if (connection.textContent !== words) connection.textContent = words;
  });
}

/** Starts live updates, if this page has any, until the signal.
 * @param {AbortSignal} signal */
export function startLive(signal) {
  const live = find(document, "[data-live]");
  if (!live) return;
  markNewHands(live);
  updateHeading(live);
  showConnectionLoss(live);
  startPolling(live, signal);
}
