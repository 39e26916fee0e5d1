/* The tally of tricks: tap the seat that won the trick, then its antes. The next seat begins the next trick. */

import { find, findAll, findInputs, findRequired, isDrawn } from "../dom.js";
import { numberRange } from "./numbers.js";
import { findNamedInputs, findOpenSteps } from "./steps.js";
import { createKey, nextStep, openStep } from "./tray.js";

const HIGHEST = 15; // of the antes

/** Gives a seat the open trick, or the next one if the open trick already has antes.
 * @param {Pad} pad @param {number} seat */
export function giveTrick(pad, seat) {
  if (pad.current?.value.trim()) {
    const next = nextStep(pad);
    if (!next) return;
    openStep(pad, next);
  }
  const winner = findNamedInputs(pad.form, (pad.current?.name ?? "").replace("antes", "winner"))[seat];
  winner.checked = true;
  winner.dispatchEvent(new Event("input", { bubbles: true }));
}

/* Copies the look of a seat from its chip in the first trick. */
/** @param {HTMLElement} chip @param {number} seat */
function createSeatKey(chip, seat) {
  const key = createKey(seat, "");
  delete key.dataset.value;
  key.dataset.seat = String(seat);
  key.append(...findAll(chip, ".mark, .name").map((part) => part.cloneNode(true)));
  return key;
}

/** @param {HTMLElement} tally */
function clearTally(tally) {
  for (const winner of findInputs(tally, ":checked")) winner.checked = false;
  for (const antes of findInputs(tally, "[data-pad]")) antes.value = "";
}

/** Creates the keys of the tally, if the form has one.
 * @param {Pad} pad */
export function startTally(pad) {
  const { form, tray } = pad;
  const tally = /** @type {HTMLDetailsElement | null} */ (find(form, "[data-tally]"));
  if (!tally) return;
  findRequired(tray, "[data-winners]").append(...findAll(tally, ".trick:first-of-type .chip").map(createSeatKey));
  findRequired(tray, "[data-antes]").replaceChildren(...numberRange(0, HIGHEST).map((ante) => createKey(ante)));
  const sums = findRequired(form, "[data-sums]");
  // A sum that was typed replaces the tally, which would take precedence.
  sums.addEventListener("input", () => tally.open || clearTally(tally));
  tally.addEventListener("toggle", () => {
    sums.hidden = tally.open;
    if (tally.open || !(pad.current && isDrawn(pad.current))) openStep(pad, findOpenSteps(form)[0]);
  });
}

/** Shows the winner of each trick, or its number if it has none yet.
 * @param {HTMLFormElement} form */
export function showWinners(form) {
  for (const winner of findAll(form, ".trick [data-winner-label]")) {
    const [choice] = findInputs(/** @type {HTMLElement} */ (winner.closest(".trick")), ":checked");
    winner.textContent = choice?.closest(".chip")?.querySelector(".name")?.textContent ?? winner.dataset.winnerLabel ?? "";
  }
}
