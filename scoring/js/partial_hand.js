/* A partial hand: saves each row when it is complete, and undoes one step at a time.

   Only forms with data-partial-hand have Undo and Continue later. Both buttons keep their place, and are enabled once there is
   something to undo. Rows have data-autosave-row. The preview names in data-dice the dice it has checked, because nothing may be
   saved automatically that the server would refuse. */

import { find, findAll, findInputs, findRequired } from "./browser.js";
import { findNamedInputs } from "./entry/steps.js";

/** @typedef {string | boolean} Value */

/** @param {HTMLInputElement[]} fields @param {Value} value */
function setField(fields, value) {
  for (const input of fields) {
    if (input.type === "radio") input.checked = input.value === value;
    else if (input.type === "checkbox") input.checked = Boolean(value);
    else input.value = String(value);
  }
  fields[0].dispatchEvent(new Event("input", { bubbles: true }));
}

/** Saves the hand when a row becomes complete, or incomplete again.
 * @param {HTMLFormElement} form @param {AbortSignal} signal */
export function saveCompleteRows(form, signal) {
  const rows = findAll(form, "[data-autosave-row]").map((row) => findInputs(row, "[data-pad]"));
  const preview = find(form, "#preview");
  if (!rows.length || !preview) return;
  const dice = () => rows.flat().map((input) => input.value || "-").join(" ");
  const completeRows = () => rows.map((row) => (row.every(({ value }) => value) ? row.map(({ value }) => value) : "-")).join(" ");
  let savedRows = completeRows();
  const save = () => {
    const isChecked = find(preview, "[data-dice]")?.dataset.dice === dice() && !find(preview, ".refusal");
    // The form is being saved already.
    if (!isChecked || form.hasAttribute("aria-busy") || savedRows === completeRows()) return;
    savedRows = completeRows();
    document.dispatchEvent(new CustomEvent("tricky:partial-hand", { detail: form }));
  };
  preview.addEventListener("htmx:afterSwap", save, { signal });
}

/** @param {HTMLFormElement} form @param {string} name @returns {Value} */
function readField(form, name) {
  const fields = findNamedInputs(form, name);
  const [{ type, checked, value }] = fields;
  if (type === "radio") return fields.find((choice) => choice.checked)?.value ?? "";
  return type === "checkbox" ? checked : value;
}

/** Records each change with the value before it, so that Undo can restore it. `filled` names the fields that had a
 * value when the page loaded. `show` opens the slot of an input.
 * @param {HTMLFormElement} form @param {string[]} filled
 * @param {(input: HTMLInputElement) => void} show @param {AbortSignal} signal */
export function startUndo(form, filled, show, signal) {
  const row = find(form, "[data-partial-hand]");
  if (!row) return;
  const updateButtons = () => {
    for (const button of /** @type {HTMLButtonElement[]} */ (findAll(row, "button"))) button.disabled = !steps.length;
  };
  const names = /** @type {HTMLInputElement[]} */ ([...form.elements]).map(({ name }) => name).filter(Boolean);
  const values = new Map(names.map((name) => [name, readField(form, name)]));
  /** @type {{ name: string, before: Value, follows?: boolean }[]} */
  const steps = filled.map((name) => ({ name, before: "" }));
  let isUndoing = false;

  const recordChange = (/** @type {Event} */ { target, isTrusted }) => {
    const { name, type } = /** @type {HTMLInputElement} */ (target);
    const before = values.get(name) ?? "";
    const now = readField(form, name);
    values.set(name, now);
    // A choice that the script made follows from the last change, and is undone with it.
    if (!isUndoing && now !== before) steps.push({ name, before, follows: !isTrusted && type === "radio" });
    updateButtons();
  };

  const undo = () => {
    isUndoing = true;
    let last = steps.pop();
    while (last) {
      setField(findNamedInputs(form, last.name), last.before);
      if (!last.follows || !steps.length) break;
      last = steps.pop();
    }
    isUndoing = false;
    if (last) show(findNamedInputs(form, last.name)[0]);
  };

  const button = findRequired(row, "[data-undo]");
  button.hidden = false;
  updateButtons();
  form.addEventListener("input", recordChange, { signal });
  button.addEventListener("click", undo, { signal });
}
