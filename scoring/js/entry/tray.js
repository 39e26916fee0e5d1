/* The tray: the open step has its choices, its keypad or its grid of numbers there. */

import { find, findAll, findInputs, findRequired } from "../dom.js";
import { excessOf, forbidden, leftOf, numbersFrom } from "./numbers.js";
import { panelOf, stepOf, stepsOf } from "./steps.js";

/** @param {string | number} value */
export function makeKey(value, text = String(value)) {
  const key = document.createElement("button");
  key.type = "button";
  key.dataset.value = String(value);
  key.textContent = text;
  return key;
}

/* A key for each number that an input may take, the same key for as long as it is asked for; what is left of the
   row's total stands out. */
/** @param {Pad} pad @param {Step} input */
function drawGrid({ form, tray }, input) {
  const { least, most, total, treats } = input.dataset;
  const grid = findRequired(tray, "[data-numbers]");
  const before = new Map(findAll(grid, "button").map((key) => [key.dataset.value, key]));
  const keys = numbersFrom(Number(least), Number(most)).map((number) => before.get(String(number)) ?? makeKey(number));
  const isSame = keys.length === before.size && keys.every((key) => key.isConnected);
  if (!isSame) grid.replaceChildren(...keys);
  for (const key of keys) key.classList.remove("is-fitting");
  findRequired(tray, "[data-steppers]").hidden = treats !== undefined;
  for (const stepper of findAll(tray, '[data-add="-1"], [data-add="1"]')) stepper.hidden = !total;
  const others = findInputs(form, "[data-total]").filter((other) => other !== input);
  const left = total ? leftOf(Number(total), others.map(({ value }) => value)) : null;
  keys.find(({ dataset }) => dataset.value === String(left))?.classList.add("is-fitting");
}

/** @param {Pad} pad */
const unmark = ({ form }) => findAll(form, "[aria-current]").forEach((element) => element.removeAttribute("aria-current"));

/* What a step asks for: its own words, or those of its label. */
/** @param {Step} step */
function askedBy(step) {
  if (panelOf(step)) return findRequired(step, "span").textContent;
  const label = /** @type {HTMLLabelElement} */ (step.labels?.[0]);
  return step.dataset.asks ?? (find(label, ".name") ?? label).textContent;
}

/* The key that leads on names whom it leads to. */
/** @param {Pad} pad */
function nameNext(pad) {
  const { next = "", done = "" } = pad.tray.dataset;
  const following = nextStep(pad);
  const words = following ? `${next} ${askedBy(following)?.trim()}` : done;
  for (const key of findAll(pad.tray, '[data-key="next"]')) key.textContent = words;
}

/** Opens a step: its panel, and nothing else, is in the tray.
 * @param {Pad} pad @param {Step} step */
export function openStep(pad, step) {
  const { tray } = pad;
  pad.current = step;
  pad.isFresh = true;
  for (const panel of findAll(tray, ":scope > :not(.prompt)")) panel.hidden = true;
  unmark(pad);
  tray.hidden = false;
  step.setAttribute("aria-current", "step");
  const choices = panelOf(step);
  const panel = choices ?? findRequired(tray, `[data-pad-panel="${step.dataset.pad}"]`);
  panel.hidden = false;
  findRequired(tray, "[data-asks]").textContent = choices ? "" : askedBy(step);
  pad.hasMoved = false;
  nameNext(pad);
  if (step.dataset.pad === "grid") drawGrid(pad, step);
  if (document.activeElement !== step) step.focus({ preventScroll: true });
  if (step instanceof HTMLInputElement) step.select();
  refuses(pad);
  pad.fingers.whenUp(() => {
    step.scrollIntoView({ block: "nearest" });
    seeAbove(pad, step);
  });
}

/** Opens a step without which the hand cannot be saved, and says so.
 * @param {Pad} pad @param {Step} step */
export function showMissing(pad, step) {
  openStep(pad, step);
  const line = findRequired(pad.tray, "[data-forbidden]");
  line.textContent = pad.tray.dataset.missing ?? "";
  line.hidden = false;
}

/** Keeps what is filled above the tray, however high that is: with large letters, on a small phone, below
 * a preview that has grown.
 * @param {Pad} pad @param {Step} step */
export function seeAbove({ tray }, step) {
  const dock = tray.parentElement?.getBoundingClientRect();
  const { bottom, right } = step.getBoundingClientRect();
  if (dock && dock.left < right && bottom > dock.top) scrollBy(0, bottom - dock.top + 8);
}

/** Opens where an input is, which may be a slot, stand in the panel of one, or lie beside them all.
 * @param {Pad} pad @param {HTMLInputElement} input */
export function showInput(pad, input) {
  const step = stepOf(pad.form, input);
  if (panelOf(step) || step.dataset.pad) return openStep(pad, step);
  input.closest("details")?.setAttribute("open", "");
  return input.focus();
}

/** @param {Pad} pad */
function close(pad) {
  pad.current = null;
  pad.tray.hidden = true;
  unmark(pad);
  findRequired(pad.form, ".primary").focus({ preventScroll: true });
  pad.fingers.whenUp(() => find(pad.form, "#preview")?.scrollIntoView({ block: "nearest" }));
}

/** Returns the step that comes after the open one.
 * @param {Pad} pad @returns {Step | undefined} */
export function nextStep({ form, current }) {
  const steps = stepsOf(form);
  return steps[steps.findIndex((step) => step === current) + 1];
}

/** Opens the next step, or closes the tray after the last one.
 * @param {Pad} pad */
function advance(pad) {
  const next = nextStep(pad);
  if (next) openStep(pad, next);
  else close(pad);
}

/** Opens the next step by itself, as the open one is filled: a Next straight after that is a habit.
 * @param {Pad} pad */
export function advanceAlone(pad) {
  advance(pad);
  pad.hasMoved = true;
}

/* The words that refuse a number, by what forbids it. */
/** @param {DOMStringMap} words @param {DOMStringMap} bounds */
const refusalWords = ({ atMost, atLeast, digitsOnly }, { least, most }) => ({
  most: `${atMost} ${most}`,
  least: `${atLeast} ${least}`,
  digits: digitsOnly,
});

/* What the numbers of a row come to, where that is more than there is. It stops nobody: whoever puts a number
   right may have begun with the other one. */
/** @param {Pad} pad */
function excessWords({ form, tray }) {
  const rows = new Map(findInputs(form, "[data-row]").map(({ dataset: { row, most } }) => [row, most]));
  for (const [row = "", most = ""] of rows) {
    const sum = excessOf(findInputs(form, `[data-row="${row}"]`).map(({ value }) => value), most);
    if (sum) return `${row}: ${sum}. ${tray.dataset.atMost} ${most}`;
  }
  return "";
}

/** Says of the number in the open step why it cannot be, where it cannot, and returns whether it is so:
 * one that `isWhole` may also be too low. Else it says what its row exceeds.
 * @param {Pad} pad @param {boolean} [isWhole] */
export function refuses(pad, isWhole = false) {
  const { tray, current } = pad;
  const isNumber = current instanceof HTMLInputElement && current.dataset.digits !== undefined;
  const why = isNumber && forbidden(current.value, current.dataset, isWhole);
  const line = findRequired(tray, "[data-forbidden]");
  line.textContent = why ? refusalWords(tray.dataset, current?.dataset ?? {})[why] ?? "" : excessWords(pad);
  line.hidden = !line.textContent;
  return Boolean(why);
}

/** Opens the next step as somebody asked: not where that has happened by itself just now, and not
 * while the open one holds a number that cannot be.
 * @param {Pad} pad */
export function moveOn(pad) {
  const hasMoved = pad.hasMoved;
  pad.hasMoved = false;
  if (!hasMoved && !refuses(pad, true)) advance(pad);
}
