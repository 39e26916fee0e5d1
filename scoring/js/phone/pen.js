/* One phone of a table writes, the others follow; the pen is taken by one tap. */

import { find, need, tapped } from "../dom.js";
import { phoneName } from "../keys.js";
import { newEntry } from "./entries.js";
import { keep } from "./kept.js";
import { drain } from "./outbox.js";
import { go } from "./pages.js";

let hadPen = false; // when the sheet was last drawn

const sheetHere = () => document.getElementById("sheet");

function show() {
  const sheet = sheetHere();
  const elsewhere = sheet && find(sheet, "[data-pen-elsewhere]");
  if (!elsewhere) return;
  const { pen, penHolder = "" } = sheet.dataset;
  const follows = Boolean(pen) && pen !== phoneName();
  elsewhere.hidden = !follows;
  need(sheet, "[data-writes]").hidden = follows;
  if (hadPen && follows) {
    const words = need(document, "#kept").dataset.penGone ?? "";
    need(elsewhere, "[role=status]").textContent = words.replace("%s", penHolder);
  }
  hadPen = pen === phoneName();
}

/** @param {HTMLButtonElement} button @param {string | undefined} address */
async function take(button, address = "") {
  button.disabled = true;
  try {
    await keep(newEntry("pen", address));
    await drain();
  } catch (error) {
    // It is a courtesy: whoever cannot say so writes all the same.
    console.warn("The pen was not taken:", error);
  }
}

/** @param {HTMLButtonElement} button @param {HTMLElement} sheet */
async function takeToWrite(button, sheet) {
  const next = need(sheet, "[data-writes]").getAttribute("href") ?? "";
  await take(button, sheet.dataset.address);
  await go(next).catch(() => location.assign(next));
}

/** Shows who has the pen, and lets it be taken. */
export function startPen() {
  document.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement | null} */ (tapped(event, "[data-take-pen]"));
    const sheet = sheetHere();
    if (button && sheet) takeToWrite(button, sheet);
    // In an open form nothing else changes: whoever writes has just said so.
    else if (button) take(button, button.dataset.address);
  });
  document.addEventListener("htmx:afterSwap", show);
  document.addEventListener("tricky:drawn", show);
  show();
}
