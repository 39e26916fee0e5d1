/* Countdown clocks. They follow the server's time, because the clock of this device may be wrong. */

import { find, findAll, onEachPage } from "./browser.js";

/** How far the server is ahead, in milliseconds. @type {WeakMap<HTMLElement, number>} */
const serverOffsets = new WeakMap();
/** The system clock may be changed, `performance.now()` may not. */
const clockDifference = () => Date.now() - performance.now();
let knownDifference = clockDifference();
const JUMP_THRESHOLD = 2000; // milliseconds

/* To be called soon after the page was made, because `data-server-time` is the server's time then. */
/** @param {HTMLElement} clock */
function getServerOffset(clock) {
  const offset = serverOffsets.get(clock) ?? Date.parse(clock.dataset.serverTime ?? "") - Date.now();
  serverOffsets.set(clock, offset);
  return offset;
}

/** @param {number} seconds */
const formatSeconds = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** @param {HTMLElement} clock */
function secondsLeft(clock) {
  const { pausedAt, endsAt = "" } = clock.dataset;
  const now = pausedAt ? Date.parse(pausedAt) : Date.now() + getServerOffset(clock);
  return Math.round((Date.parse(endsAt) - now) / 1000);
}

/** @param {HTMLElement} clock */
function drawClock(clock) {
  const { pausedAt, timeUpText = "" } = clock.dataset;
  const left = secondsLeft(clock);
  const text = left > 0 ? formatSeconds(left) : timeUpText;
  clock.textContent = pausedAt ? `${text} ⏸` : text;
}

/** Fills the progress lane of a round by the elapsed share of its time.
 * @param {Element} lane */
function drawProgress(lane) {
  const clock = find(document, ".clock[data-ends-at]");
  const [whole, run] = lane.querySelectorAll("line");
  if (!clock || !whole || !run) return;
  const steps = Math.floor(Number(whole.getAttribute("pathLength")));
  const passed = 1 - secondsLeft(clock) / 60 / Number(lane.getAttribute("data-round-minutes") || 1);
  const holes = Math.min(steps, Math.max(0, Math.floor(passed * steps)));
  run.setAttribute("x2", `${(holes * 100) / steps}%`);
  run.setAttribute("pathLength", `${holes}.01`);
  run.toggleAttribute("hidden", holes === 0);
}

/* If the clock of this device was changed, or the device slept, gets the server's time again. Without an answer the
   known offset stays. */
async function syncAfterJump() {
  if (Math.abs(clockDifference() - knownDifference) < JUMP_THRESHOLD) return;
  knownDifference = clockDifference();
  const { headers } = await fetch("/healthz", { method: "HEAD", cache: "no-store" });
  const serverTime = Date.parse(headers.get("Date") ?? "");
  if (Number.isNaN(serverTime)) return;
  for (const clock of findAll(document, "[data-ends-at]")) serverOffsets.set(clock, serverTime - Date.now());
  updateClocks();
}

function updateClocks() {
  void syncAfterJump().catch(() => {});
  findAll(document, "[role=timer][data-ends-at]").forEach(drawClock);
  document.querySelectorAll(".timeline[data-round-minutes]").forEach(drawProgress);
}
onEachPage("tricky:drawn htmx:afterSwap", updateClocks);
setInterval(updateClocks, 1000);
