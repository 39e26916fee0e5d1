/* The steps of an entry: inputs with `data-pad`, and a slot for each fieldset with `data-panel`. */

import { createElement, find, findAll, findInputs, findRequired, isDrawn } from "../browser.js";

/** The panel of choices that a slot opens. @type {WeakMap<Step, HTMLElement>} */
const panels = new WeakMap();

/** @param {Step} step */
export const getPanel = (step) => panels.get(step);

/** @param {HTMLFormElement} form @param {string} name */
export const findNamedInputs = (form, name) => findInputs(form, `[name="${name}"]`);

/** Returns the value of a field; of radio buttons the checked one.
 * @param {HTMLFormElement} form @param {string} name */
export const readField = (form, name) =>
  findNamedInputs(form, name).find(({ type, checked }) => type !== "radio" || checked)?.value ?? "";

/** Replaces a fieldset by a slot, and moves its choices to the tray.
 * @param {HTMLElement} fieldset @param {HTMLElement} tray */
export function makeSlot(fieldset, tray) {
  const label = fieldset.dataset.slotLabel ?? findRequired(fieldset, "legend").textContent;
  const slot = createElement("button", { type: "button", className: "slot picker" }, createElement("span", {}, label), createElement("output"));
  slot.dataset.step = fieldset.dataset.panel;
  panels.set(slot, fieldset);
  if (find(fieldset, ".refusal")) slot.classList.add("is-refused");
  fieldset.before(slot);
  fieldset.hidden = true;
  tray.append(fieldset);
  return slot;
}

/* Whether one of the fields in `data-excluded-by` has the given value, as in `bidder=1 bid=solo`. */
/** @param {HTMLFormElement} form @param {HTMLElement} element */
const matchesCondition = (form, { dataset: { excludedBy = "" } }) =>
  excludedBy.split(" ").some((field) => field && readField(form, field.split("=")[0]) === field.split("=")[1]);

/* Whether another choice makes a step unnecessary. */
/** @param {HTMLFormElement} form @param {Step} step */
function isSkipped(form, step) {
  const panel = getPanel(step);
  if (find(form, "[data-final-choice]:checked")) return !(panel && find(panel, "[data-final-choice]"));
  return !!panel && matchesCondition(form, panel);
}

/* If players take turns, the steps begin with the first player instead of the first seat. */
/** @param {HTMLFormElement} form @param {Step[]} steps */
function sortByTurn(form, steps) {
  const turns = find(form, "[data-starter-field]");
  const first = turns && readField(form, turns.dataset.starterField ?? "");
  if (!first) return steps;
  const rows = [...turns.children];
  const inOrder = [...rows.splice(Number(first)), ...rows].flatMap((row) => steps.filter((step) => row.contains(step)));
  return steps.map((step) => (turns.contains(step) ? /** @type {Step} */ (inOrder.shift()) : step));
}

/** Returns the visible steps that are not skipped, in order.
 * @param {HTMLFormElement} form */
export const findOpenSteps = (form) =>
  sortByTurn(
    form,
    /** @type {Step[]} */ (findAll(form, "[data-step], [data-pad]")).filter(
      (step) => step.dataset.pad !== "none" && isDrawn(step) && !isSkipped(form, step),
    ),
  );

/** @param {Step} step */
export function isFilled(step) {
  const panel = getPanel(step);
  return panel ? Boolean(find(panel, ":checked")) : step.value !== "";
}

/** Returns the empty steps that `data-required-fields` of the form names. `{name}` in one is the value of that field.
 * @param {HTMLFormElement} form */
export function findMissingSteps(form) {
  const names = (form.dataset.requiredFields ?? "").replace(/\{(\w+)\}/g, (_match, name) => readField(form, name));
  const needed = names.split(" ");
  return findOpenSteps(form).filter((step) => needed.includes(step.dataset.step ?? step.name) && !isFilled(step));
}

/** @param {Step} step */
export function getFieldName(step) {
  const panel = getPanel(step);
  return panel ? findInputs(panel, ":checked")[0].name : step.name;
}

/** Returns the slot whose panel has the input, or the input itself.
 * @param {HTMLFormElement} form @param {HTMLInputElement} input @returns {Step} */
export function findStep(form, input) {
  const panel = /** @type {HTMLElement | null} */ (input.closest("[data-panel]"))?.dataset.panel;
  return panel ? /** @type {Step} */ (findRequired(form, `[data-step="${panel}"]`)) : input;
}

/** @param {Element} input */
const findChip = (input) => /** @type {HTMLElement | null} */ (input.closest(".chip"));

/** Hides and unchecks choices that other fields exclude: the bidder cannot be the partner.
 * @param {HTMLFormElement} form */
export function hideExcludedChoices(form) {
  for (const input of findInputs(form, "[data-excluded-by]")) {
    const isExcluded = matchesCondition(form, input);
    findChip(input)?.toggleAttribute("hidden", isExcluded);
    input.checked &&= !isExcluded;
  }
}

/* Copies a choice for its slot, after the mark of its player. */
/** @param {HTMLElement} choice */
function renderChoice(choice) {
  const chip = /** @type {HTMLElement} */ (findChip(choice)?.cloneNode(true));
  findRequired(chip, "input").remove();
  const mark = choice.closest(".line")?.querySelector(".player-label .mark")?.cloneNode(true);
  const shown = createElement("span", {}, ...(mark ? [mark] : []), ...chip.childNodes);
  shown.dataset.chosen = /** @type {HTMLInputElement} */ (choice).value;
  return shown;
}

/** Shows the chosen values in the slots.
 * @param {HTMLFormElement} form */
export function showChoices(form) {
  for (const slot of /** @type {Step[]} */ (findAll(form, "[data-step]"))) {
    const choices = findAll(getPanel(slot) ?? form, "input:checked").filter((choice) => findChip(choice)?.hidden === false);
    findRequired(slot, "output").replaceChildren(...choices.map(renderChoice));
    slot.hidden = isSkipped(form, slot);
  }
}
