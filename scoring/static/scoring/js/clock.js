/* Clocks that run down: the server's time counts, whatever this machine believes it is. */

import { all } from "./dom.js";

/** By how many milliseconds the server is ahead. @type {WeakMap<HTMLElement, number>} */
const leads = new WeakMap();

/* Reads it as soon as the clock is there, which tells the server's time as it was made. */
/** @param {HTMLElement} clock */
function leadOf(clock) {
  const lead = leads.get(clock) ?? Date.parse(clock.dataset.now ?? "") - Date.now();
  leads.set(clock, lead);
  return lead;
}

/** Returns the seconds as minutes and seconds.
 * @param {number} seconds */
export const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/* Writes what is left, or that time is over. */
/** @param {HTMLElement} clock */
function draw(clock) {
  const { paused, ends = "", over = "" } = clock.dataset;
  const now = paused ? Date.parse(paused) : Date.now() + leadOf(clock);
  const left = Math.round((Date.parse(ends) - now) / 1000);
  const text = left > 0 ? clockText(left) : over;
  clock.textContent = paused ? `${text} ⏸` : text;
}

const tick = () => all(document, ".clock[data-ends]").forEach(draw);
tick();
setInterval(tick, 1000);
document.addEventListener("htmx:afterSwap", tick);
document.addEventListener("tricky:drawn", tick);
