/* A hand that is begun: kept row by row as it is entered, and taken back step by step.

   Only a form with data-begun has both: there Undo and Go on later can be tapped once there
   is something to take back; they never come where another key was. Rows have data-keeps; the preview says by data-dice what was
   judged, because nothing may be kept by itself that the server would refuse. */

import { all, find, inputs, need } from "./dom.js";
import { inputsNamed } from "./entry/steps.js";

/** @typedef {string | boolean} Value */

/** @param {HTMLInputElement[]} fields @param {Value} value */
function write(fields, value) {
  for (const input of fields) {
    if (input.type === "radio") input.checked = input.value === value;
    else if (input.type === "checkbox") input.checked = Boolean(value);
    else input.value = String(value);
  }
  fields[0].dispatchEvent(new Event("input", { bubbles: true }));
}

/** Keeps the hand whenever a row is complete, or was and is not any more.
 * @param {HTMLFormElement} form @param {AbortSignal} signal */
export function keepRows(form, signal) {
  const rows = all(form, "[data-keeps]").map((row) => inputs(row, "[data-pad]"));
  const preview = find(form, "#preview");
  if (!rows.length || !preview) return;
  const dice = () => rows.flat().map((input) => input.value || "-").join(" ");
  const completeRows = () => rows.map((row) => (row.every(({ value }) => value) ? row.map(({ value }) => value) : "-")).join(" ");
  let keptRows = completeRows();
  const keep = () => {
    const isJudged = find(preview, "[data-dice]")?.dataset.dice === dice() && !find(preview, ".refusal");
    // What is being saved is on its way already.
    if (!isJudged || form.hasAttribute("aria-busy") || keptRows === completeRows()) return;
    keptRows = completeRows();
    document.dispatchEvent(new CustomEvent("tricky:begun", { detail: form }));
  };
  preview.addEventListener("htmx:afterSwap", keep, { signal });
}

/** Returns what a field says.
 * @param {HTMLFormElement} form @param {string} name @returns {Value} */
function read(form, name) {
  const fields = inputsNamed(form, name);
  const [{ type, checked, value }] = fields;
  if (type === "radio") return fields.find((choice) => choice.checked)?.value ?? "";
  return type === "checkbox" ? checked : value;
}

/** Remembers what was set, in order, and what stood there before; `filled` are the names of
 * what was there when the page came. `show` opens the slot of an input.
 * @param {HTMLFormElement} form @param {string[]} filled
 * @param {(input: HTMLInputElement) => void} show @param {AbortSignal} signal */
export function startUndo(form, filled, show, signal) {
  const row = find(form, "[data-begun]");
  if (!row) return;
  const offer = () => {
    for (const button of /** @type {HTMLButtonElement[]} */ (all(row, "button"))) button.disabled = !steps.length;
  };
  const names = /** @type {HTMLInputElement[]} */ ([...form.elements]).map(({ name }) => name).filter(Boolean);
  const values = new Map(names.map((name) => [name, read(form, name)]));
  /** @type {{ name: string, before: Value, follows?: boolean }[]} */
  const steps = filled.map((name) => ({ name, before: "" }));
  let isUndoing = false;

  const note = (/** @type {Event} */ { target, isTrusted }) => {
    const { name, type } = /** @type {HTMLInputElement} */ (target);
    const before = values.get(name) ?? "";
    const now = read(form, name);
    values.set(name, now);
    // A choice that nobody tapped followed from what was set before, and goes with it.
    if (!isUndoing && now !== before) steps.push({ name, before, follows: !isTrusted && type === "radio" });
    offer();
  };

  const undo = () => {
    isUndoing = true;
    let last = steps.pop();
    while (last) {
      write(inputsNamed(form, last.name), last.before);
      if (!last.follows || !steps.length) break;
      last = steps.pop();
    }
    isUndoing = false;
    if (last) show(inputsNamed(form, last.name)[0]);
  };

  const button = need(row, "[data-undo]");
  button.hidden = false;
  offer();
  form.addEventListener("input", note, { signal });
  button.addEventListener("click", undo, { signal });
}
