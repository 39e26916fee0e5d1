/* The tray shows the choices, the keypad or the number grid of the open step. */

import { createElement, find, findAll, findInputs, findRequired } from "../browser.js";
import { findOpenSteps, findStep, getPanel } from "./steps.js";

/** @param {string | number} value */
export function createKey(value) {
  const key = createElement("button", { type: "button" }, String(value));
  key.dataset.value = String(value);
  return key;
}

/* Shows a key for each allowed number, and highlights the number that completes the total of the row. Keys that are
   already there are reused, so that none is replaced while it is tapped. */
/** @param {Pad} pad @param {Step} input */
function drawGrid({ form, tray }, input) {
  const { min, max, total, treatsSeat } = input.dataset;
  const grid = findRequired(tray, "[data-numbers]");
  const before = new Map(findAll(grid, "button").map((key) => [key.dataset.value, key]));
  const keys = numberRange(Number(min), Number(max)).map((number) => before.get(String(number)) ?? createKey(number));
  const isSame = keys.length === before.size && keys.every((key) => key.isConnected);
  if (!isSame) grid.replaceChildren(...keys);
  for (const key of keys) key.classList.remove("is-fitting");
  findRequired(tray, "[data-steppers]").hidden = treatsSeat !== undefined;
  for (const stepper of findAll(tray, '[data-add="-1"], [data-add="1"]')) stepper.hidden = !total;
  const others = findInputs(form, "[data-total]").filter((other) => other !== input);
  const left = total ? remainingTotal(Number(total), others.map(({ value }) => value)) : null;
  keys.find(({ dataset }) => dataset.value === String(left))?.classList.add("is-fitting");
}

/** @param {Pad} pad */
const clearCurrentMark = ({ form }) => findAll(form, "[aria-current]").forEach((element) => element.removeAttribute("aria-current"));

/* The text above the keys: `data-prompt`, or the label. */
/** @param {Step} step */
export function getPrompt(step) {
  if (getPanel(step)) return findRequired(step, "span").textContent;
  const label = /** @type {HTMLLabelElement} */ (step.labels?.[0]);
  return step.dataset.prompt ?? (find(label, ".name") ?? label).textContent;
}

/* The Next key names the next step. */
/** @param {Pad} pad */
function updateNextKey(pad) {
  const { nextLabel = "", doneLabel = "" } = pad.tray.dataset;
  const following = nextStep(pad);
  const words = following ? `${nextLabel} ${getPrompt(following)?.trim()}` : doneLabel;
  for (const key of findAll(pad.tray, '[data-key="next"]')) key.textContent = words;
}

/** Opens a step and shows only its panel in the tray.
 * @param {Pad} pad @param {Step} step */
export function openStep(pad, step) {
  const { tray } = pad;
  pad.current = step;
  pad.isFresh = true;
  for (const panel of findAll(tray, ":scope > :not(.prompt)")) panel.hidden = true;
  clearCurrentMark(pad);
  tray.hidden = false;
  step.setAttribute("aria-current", "step");
  const choices = getPanel(step);
  const panel = choices ?? findRequired(tray, `[data-pad-panel="${step.dataset.pad}"]`);
  panel.hidden = false;
  findRequired(tray, "[data-prompt]").textContent = choices ? "" : getPrompt(step);
  pad.hasMoved = false;
  updateNextKey(pad);
  if (step.dataset.pad === "grid") drawGrid(pad, step);
  for (const key of findAll(tray, '[data-key="sign"]')) key.hidden = !allowsNegative(step.dataset);
  if (document.activeElement !== step) step.focus({ preventScroll: true });
  if (step instanceof HTMLInputElement) step.select();
  showNumberRefusal(pad);
  pad.pointers.runWhenReleased(() => {
    step.scrollIntoView({ block: "nearest" });
    scrollAboveTray(pad, step);
  });
}

/** Scrolls a step above the tray, which may be high with large letters, on a small phone or below a long preview.
 * @param {Pad} pad @param {Step} step */
export function scrollAboveTray({ tray }, step) {
  const dock = tray.parentElement?.getBoundingClientRect();
  const { bottom, right } = step.getBoundingClientRect();
  if (dock && dock.left < right && bottom > dock.top) scrollBy(0, bottom - dock.top + 8);
}

/** Opens the step of an input; an input outside all steps only gets the focus.
 * @param {Pad} pad @param {HTMLInputElement} input */
export function focusInput(pad, input) {
  const step = findStep(pad.form, input);
  if (getPanel(step) || step.dataset.pad) return openStep(pad, step);
  input.closest("details")?.setAttribute("open", "");
  return input.focus();
}

/** @param {Pad} pad */
function closeTray(pad) {
  pad.current = null;
  pad.tray.hidden = true;
  clearCurrentMark(pad);
  findRequired(pad.form, ".primary").focus({ preventScroll: true });
  pad.pointers.runWhenReleased(() => find(pad.form, "#preview")?.scrollIntoView({ block: "nearest" }));
}

/** @param {Pad} pad @returns {Step | undefined} */
export function nextStep({ form, current }) {
  const steps = findOpenSteps(form);
  return steps[steps.findIndex((step) => step === current) + 1];
}

/** Opens the next step, or closes the tray after the last one.
 * @param {Pad} pad */
function advance(pad) {
  const next = nextStep(pad);
  if (next) openStep(pad, next);
  else closeTray(pad);
}

/** Opens the next step because the open one is full. A Next key that follows is ignored.
 * @param {Pad} pad */
export function advanceAutomatically(pad) {
  advance(pad);
  pad.hasMoved = true;
}

/* Messages by the bound that a number violates. */
/** @param {DOMStringMap} words @param {DOMStringMap} bounds */
const boundMessages = ({ atMostLabel, atLeastLabel, digitsOnlyText }, { min, max }) => ({
  max: `${atMostLabel} ${max}`,
  min: `${atLeastLabel} ${min}`,
  digits: digitsOnlyText,
});

/* The message about a row whose sum is too high. Entering goes on, because the other number may be corrected next. */
/** @param {Pad} pad */
function excessMessage({ form, tray }) {
  const rows = new Map(findInputs(form, "[data-row]").map(({ dataset: { row, max } }) => [row, max]));
  for (const [row = "", max = ""] of rows) {
    const sum = excessSum(findInputs(form, `[data-row="${row}"]`).map(({ value }) => value), max);
    if (sum) return `${row}: ${sum}. ${tray.dataset.atMostLabel} ${max}`;
  }
  return "";
}

/** Shows why the number in the open step is not allowed, and returns whether it is refused. A complete number may
 * also be too low. For an allowed number, shows whether the sum of its row is too high.
 * @param {Pad} pad @param {boolean} [isWhole] */
export function showNumberRefusal(pad, isWhole = false) {
  const { tray, current } = pad;
  const isNumber = current instanceof HTMLInputElement && current.dataset.digits !== undefined;
  const bound = isNumber && violatedBound(current.value, current.dataset, isWhole);
  const line = findRequired(tray, "[data-input-error]");
  line.textContent = bound ? boundMessages(tray.dataset, current?.dataset ?? {})[bound] ?? "" : excessMessage(pad);
  line.hidden = !line.textContent;
  return Boolean(bound);
}

/** Opens the next step on request, unless it has just opened by itself or the open step has a number that is not
 * allowed.
 * @param {Pad} pad */
export function advanceOnRequest(pad) {
  const hasMoved = pad.hasMoved;
  pad.hasMoved = false;
  if (!hasMoved && !showNumberRefusal(pad, true)) advance(pad);
}

/* Numbers as the keys enter them. */

/** @param {number} min @param {number} max */
export const numberRange = (min, max) => Array.from({ length: Math.max(0, max - min + 1) }, (_, place) => min + place);

/** Returns the part of a total that is left for a field of a row; null if other fields are empty.
 * @param {number} total @param {string[]} others */
export function remainingTotal(total, others) {
  if (others.includes("")) return null;
  return total - others.reduce((sum, value) => sum + Number(value), 0);
}

/** Whether the next step may open by itself: with the last digit and never earlier, so that people can predict it.
 * Numbers have three digits, dice have one.
 * @param {string} value @param {string | undefined} digits */
export const hasAllDigits = (value, digits) => value.replace("-", "").length >= Number(digits);

/** @param {DOMStringMap} bounds */
export const allowsNegative = ({ min }) => Number(min) < 0;

/** @param {string} value */
export const changeSign = (value) => (value.startsWith("-") ? value.slice(1) : `-${value}`);

/** Returns the bound that a number violates, or an empty string. The minimum is only checked for a complete number.
 * @param {string} value @param {DOMStringMap} bounds @param {boolean} isWhole
 * @returns {"" | "max" | "min" | "digits"} */
export function violatedBound(value, { min, max }, isWhole) {
  if (!(allowsNegative({ min }) ? /^-?\d*$/ : /^\d*$/).test(value)) return "digits";
  if (max !== undefined && Number(value) > Number(max)) return "max";
  return isWhole && value && Number(value) < Number(min) ? "min" : "";
}

/** Returns the sum of a row if it exceeds the maximum, or null.
 * @param {string[]} values @param {string | undefined} max */
export function excessSum(values, max) {
  const sum = values.reduce((all, value) => all + (Number(value) || 0), 0);
  return sum > Number(max) ? sum : null;
}

/** Returns a number after a step up or down, never below 0.
 * @param {string} value @param {string} by */
export const stepNumber = (value, by) => Math.max(0, Number(value || 0) + Number(by));

/** @param {string} value @param {string | undefined} max */
export const incrementTreats = (value, max) => Math.min(Number(value || 0) + 1, Number(max));

/** Returns the count after removing a treat; empty instead of 0.
 * @param {string} value */
export const decrementTreats = (value) => (Number(value) > 1 ? Number(value) - 1 : "");
