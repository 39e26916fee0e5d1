/* A tally: a seat takes the trick, numbers are its antes, the next seat the next trick. */

import { find, findAll, findInputs, findRequired, isDrawn } from "../dom.js";
import { numbersFrom } from "./numbers.js";
import { inputsNamed, stepsOf } from "./steps.js";
import { makeKey, nextStep, openStep } from "./tray.js";

const HIGHEST = 15; // of the antes

/** A seat takes the trick that is open, or the next one where this one has its antes.
 * @param {Pad} pad @param {number} seat */
export function takeTrick(pad, seat) {
  if (pad.current?.value.trim()) {
    const next = nextStep(pad);
    if (!next) return;
    openStep(pad, next);
  }
  const winner = inputsNamed(pad.form, (pad.current?.name ?? "").replace("antes", "winner"))[seat];
  winner.checked = true;
  winner.dispatchEvent(new Event("input", { bubbles: true }));
}

/* A key that looks as the seat does in the first trick. */
/** @param {HTMLElement} chip @param {number} seat */
function seatKey(chip, seat) {
  const key = makeKey(seat, "");
  delete key.dataset.value;
  key.dataset.seat = String(seat);
  key.append(...findAll(chip, ".mark, .name").map((part) => part.cloneNode(true)));
  return key;
}

/** @param {HTMLElement} tally */
function forget(tally) {
  for (const winner of findInputs(tally, ":checked")) winner.checked = false;
  for (const antes of findInputs(tally, "[data-pad]")) antes.value = "";
}

/** Makes the keys of a tally, where the form has one.
 * @param {Pad} pad */
export function startTally(pad) {
  const { form, tray } = pad;
  const tally = /** @type {HTMLDetailsElement | null} */ (find(form, "[data-tally]"));
  if (!tally) return;
  findRequired(tray, "[data-winners]").append(...findAll(tally, ".trick:first-of-type .chip").map(seatKey));
  findRequired(tray, "[data-antes]").replaceChildren(...numbersFrom(0, HIGHEST).map((ante) => makeKey(ante)));
  const sums = findRequired(form, "[data-sums]");
  // Who closes the tally and types what it came to has another sum: the tally would win.
  sums.addEventListener("input", () => tally.open || forget(tally));
  tally.addEventListener("toggle", () => {
    sums.hidden = tally.open;
    if (tally.open || !(pad.current && isDrawn(pad.current))) openStep(pad, stepsOf(form)[0]);
  });
}

/** Shows who took each trick, and of one that nobody took its number.
 * @param {HTMLFormElement} form */
export function showWinners(form) {
  for (const winner of findAll(form, ".trick [data-won]")) {
    const [choice] = findInputs(/** @type {HTMLElement} */ (winner.closest(".trick")), ":checked");
    winner.textContent = choice?.closest(".chip")?.querySelector(".name")?.textContent ?? winner.dataset.won ?? "";
  }
}
