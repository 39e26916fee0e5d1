/* The desk is never silent: calls stand in the title of the tab, and are heard where that is wanted.

   What comes next follows other directors too, but never under the fingers of whoever fills a field. */

import { startTelling } from "./telling.js";
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
});
tell();
startTelling();
