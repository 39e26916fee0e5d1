/* Clocks that run down: the server's time counts, whatever this machine believes it is. */

import { find, findAll } from "./dom.js";

/** By how many milliseconds the server is ahead. @type {WeakMap<HTMLElement, number>} */
const leads = new WeakMap();
/** Between the time of day and what runs on whatever becomes of that. */
const since = () => Date.now() - performance.now();
let apart = since();
const JUMP = 2000;

/* Reads it as soon as the clock is there, which tells the server's time as it was made. */
/** @param {HTMLElement} clock */
function leadOf(clock) {
  const lead = leads.get(clock) ?? Date.parse(clock.dataset.now ?? "") - Date.now();
  leads.set(clock, lead);
  return lead;
}

/** Returns the seconds as minutes and seconds.
 * @param {number} seconds */
const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Returns how many seconds a clock has left.
 * @param {HTMLElement} clock */
function secondsLeft(clock) {
  const { paused, ends = "" } = clock.dataset;
  const now = paused ? Date.parse(paused) : Date.now() + leadOf(clock);
  return Math.round((Date.parse(ends) - now) / 1000);
}

/* Writes what is left, or that time is over. */
/** @param {HTMLElement} clock */
function draw(clock) {
  const { paused, over = "" } = clock.dataset;
  const left = secondsLeft(clock);
  const text = left > 0 ? clockText(left) : over;
  clock.textContent = paused ? `${text} ⏸` : text;
}

/** Fills the lane of a round as far as its clock has come.
 * @param {Element} lane */
function fill(lane) {
  const clock = find(document, ".clock[data-ends]");
  const [whole, run] = lane.querySelectorAll("line");
  if (!clock || !whole || !run) return;
  const steps = Math.floor(Number(whole.getAttribute("pathLength")));
  const passed = 1 - secondsLeft(clock) / 60 / Number(lane.getAttribute("data-minutes") || 1);
  const holes = Math.min(steps, Math.max(0, Math.floor(passed * steps)));
  run.setAttribute("x2", `${(holes * 100) / steps}%`);
  run.setAttribute("pathLength", `${holes}.01`);
  run.toggleAttribute("hidden", holes === 0);
}

/* Asks the server for its time where this machine's clock was put, or it slept: which of the two only
   the server can tell. Where it does not answer, what was known stands. */
async function noticeJump() {
  if (Math.abs(since() - apart) < JUMP) return;
  apart = since();
  const { headers } = await fetch("/healthz", { method: "HEAD", cache: "no-store" });
  const told = Date.parse(headers.get("Date") ?? "");
  if (Number.isNaN(told)) return;
  for (const clock of findAll(document, "[data-ends]")) leads.set(clock, told - Date.now());
  tick();
}

function tick() {
  void noticeJump().catch(() => {});
  findAll(document, "[role=timer][data-ends]").forEach(draw);
  document.querySelectorAll(".timeline[data-minutes]").forEach(fill);
}
tick();
setInterval(tick, 1000);
document.addEventListener("htmx:afterSwap", tick);
document.addEventListener("tricky:drawn", tick);
