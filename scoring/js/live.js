/* What follows by itself, a sheet or what an open form hears of the others: it asks quickly after a
   change, slower later. */

import { find, findAll, findRequired } from "./dom.js";
import { phoneName } from "./keys.js";

const MINUTE = 60000;
const GONE = 404;
const BUSY = 503;

/** Returns the milliseconds to wait before the sheet asks again.
 * @param {number} quiet milliseconds since the last change @param {number} chance from 0 to 1 */
export function pauseAfter(quiet, chance) {
  const pause = quiet >= 30 * MINUTE ? 15000 : quiet < 5 * MINUTE ? 1200 : 5000;
  return pause * (0.9 + chance * 0.2);
}

let polling = 0;

/** Asks for what is new while the page is seen.
 * @param {HTMLElement} live @param {AbortSignal} signal */
function follow(live, signal) {
  // Not the time of day, which somebody may put.
  let changed = performance.now();
  function ask() {
    clearTimeout(polling);
    const isSeen = !document.hidden && live.isConnected;
    // What this phone has still to send, the server cannot show; what it refused is no part of the match.
    if (!isSeen || document.documentElement.dataset.sending) return;
    window.htmx.trigger(live, "poll");
    polling = window.setTimeout(ask, pauseAfter(performance.now() - changed, Math.random()));
  }
  live.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.elt !== live) return;
    const sheet = findRequired(live, "[data-version]");
    const mark = sheet.dataset.rematch ?? find(document, ".notices")?.dataset.mark;
    detail.parameters.v = [sheet.dataset.version, mark].filter(Boolean).join(".");
    detail.parameters.phone = phoneName();
  });
  live.addEventListener("htmx:beforeSwap", (event) => {
    // An answer for a page that is gone would take what is preserved from the page that is there.
    if (!live.isConnected) event.preventDefault();
  });
  live.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
    if (xhr?.status === 200) changed = performance.now();
    if (xhr?.status !== BUSY) return;
    // Of what is new nobody tells twice: a phone that is sent away comes again as soon as it may.
    const seconds = Number(xhr.getResponseHeader("Retry-After")) || 2;
    clearTimeout(polling);
    polling = window.setTimeout(ask, seconds * 1000 * (1 + Math.random() / 2));
  });
  for (const wakes of ["visibilitychange", "focus", "online", "offline", "pageshow"]) window.addEventListener(wakes, ask, { signal });
  for (const wakes of ["visibilitychange", "tricky:outbox"]) document.addEventListener(wakes, ask, { signal });
  ask();
}

/** Lets the rows of hands that others entered be seen to arrive.
 * @param {HTMLElement} live */
function markArrivals(live) {
  const hands = () => findAll(live, "tr[data-hand]");
  /** @type {Set<string | undefined>} */
  let known = new Set();
  live.addEventListener("htmx:beforeSwap", () => (known = new Set(hands().map(({ dataset }) => dataset.hand))));
  live.addEventListener("htmx:afterSwap", () => {
    for (const row of hands()) row.classList.toggle("is-new", !known.has(row.dataset.hand));
  });
}

/** Says in the bar how far it is, where what follows tells that.
 * @param {HTMLElement} live */
function followHeading(live) {
  live.addEventListener("htmx:afterSwap", () => {
    const told = find(live, "[data-heading]")?.dataset.heading;
    if (told) findRequired(document, ".bar h1").textContent = told;
  });
}

/** Says since when nothing is heard, or that the match was deleted.
 * @param {HTMLElement} live */
function tellLost(live) {
  const connection = findRequired(document, "#connection");
  let heard = new Date();
  // How hours are written takes a slow phone the longest of all this: only where it is said.
  const lost = () => {
    const { lang, dataset } = document.documentElement;
    const time = heard.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hourCycle: lang === "en-us" ? "h12" : "h23", timeZone: dataset.zone });
    return (connection.dataset.lost ?? "").replace("{time}", time);
  };
  live.addEventListener("htmx:afterRequest", ({ detail: { successful, xhr } }) => {
    if (successful) heard = new Date();
    const failed = xhr?.status === GONE ? connection.dataset.gone ?? "" : lost();
    const words = successful ? "" : failed;
    if (connection.textContent !== words) connection.textContent = words;
  });
}

/** Lets what follows on this page, if anything does, follow until the signal.
 * @param {AbortSignal} signal */
export function startLive(signal) {
  const live = find(document, "[data-live]");
  if (!live) return;
  markArrivals(live);
  followHeading(live);
  tellLost(live);
  follow(live, signal);
}
