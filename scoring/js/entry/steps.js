/* The steps of an entry: inputs with `data-pad`, and a slot for each fieldset with `data-panel`. */

import { find, findAll, findInputs, findRequired, isDrawn } from "../dom.js";

/** The choices that a slot opens. @type {WeakMap<Step, HTMLElement>} */
const panels = new WeakMap();

/** @param {Step} step */
export const panelOf = (step) => panels.get(step);

/** @param {HTMLFormElement} form @param {string} name */
export const inputsNamed = (form, name) => findInputs(form, `[name="${name}"]`);

/** Returns the value of a field, of a choice the one that was made.
 * @param {HTMLFormElement} form @param {string} name */
export const valueOf = (form, name) =>
  inputsNamed(form, name).find(({ type, checked }) => type !== "radio" || checked)?.value ?? "";

/** Puts a slot in the place of a fieldset, whose choices move to the tray.
 * @param {HTMLElement} fieldset @param {HTMLElement} tray */
export function makeSlot(fieldset, tray) {
  const slot = document.createElement("button");
  slot.type = "button";
  slot.className = "slot picker";
  slot.dataset.step = fieldset.dataset.panel;
  const label = document.createElement("span");
  label.textContent = fieldset.dataset.slot ?? findRequired(fieldset, "legend").textContent;
  slot.append(label, document.createElement("output"));
  panels.set(slot, fieldset);
  if (find(fieldset, ".refusal")) slot.classList.add("is-refused");
  fieldset.before(slot);
  fieldset.hidden = true;
  tray.append(fieldset);
  return slot;
}

/* Whether a field has one of the values that an element names, as in `bidder=1 bid=solo`. */
/** @param {HTMLFormElement} form @param {HTMLElement} element */
const isSo = (form, { dataset: { unless = "" } }) =>
  unless.split(" ").some((field) => field && valueOf(form, field.split("=")[0]) === field.split("=")[1]);

/* What another choice makes needless. */
/** @param {HTMLFormElement} form @param {Step} step */
function isSkipped(form, step) {
  const panel = panelOf(step);
  if (find(form, "[data-ends]:checked")) return !(panel && find(panel, "[data-ends]"));
  return !!panel && isSo(form, panel);
}

/* Where one after another has a turn, whoever begins is first, whatever the seat. */
/** @param {HTMLFormElement} form @param {Step[]} steps */
function inTurn(form, steps) {
  const turns = find(form, "[data-begins]");
  const first = turns && valueOf(form, turns.dataset.begins ?? "");
  if (!first) return steps;
  const rows = [...turns.children];
  const own = [...rows.splice(Number(first)), ...rows].flatMap((row) => steps.filter((step) => row.contains(step)));
  return steps.map((step) => (turns.contains(step) ? /** @type {Step} */ (own.shift()) : step));
}

/** Returns the steps that are still to be seen, in order.
 * @param {HTMLFormElement} form */
export const stepsOf = (form) =>
  inTurn(
    form,
    /** @type {Step[]} */ (findAll(form, "[data-step], [data-pad]")).filter(
      (step) => step.dataset.pad !== "none" && isDrawn(step) && !isSkipped(form, step),
    ),
  );

/** @param {Step} step */
export function isFilled(step) {
  const panel = panelOf(step);
  return panel ? Boolean(find(panel, ":checked")) : step.value !== "";
}

/** Returns the first step that a hand needs and nobody has filled, if there is one. What it needs is named in
 * `data-needed` of the form.
 * @param {HTMLFormElement} form */
export function findMissingStep(form) {
  const needed = (form.dataset.needed ?? "").split(" ");
  return stepsOf(form).find((step) => needed.includes(step.dataset.step ?? step.name) && !isFilled(step));
}

/** Returns the name of the field that a step fills.
 * @param {Step} step */
export function nameOf(step) {
  const panel = panelOf(step);
  return panel ? findInputs(panel, ":checked")[0].name : step.name;
}

/** Returns the slot in whose panel an input stands, or the input itself.
 * @param {HTMLFormElement} form @param {HTMLInputElement} input @returns {Step} */
export function stepOf(form, input) {
  const panel = /** @type {HTMLElement | null} */ (input.closest("[data-panel]"))?.dataset.panel;
  return panel ? /** @type {Step} */ (findRequired(form, `[data-step="${panel}"]`)) : input;
}

/** @param {Element} input */
const chipOf = (input) => /** @type {HTMLElement | null} */ (input.closest(".chip"));

/** Hides, and takes back, the choices for which other fields leave no room: the bidder is no partner.
 * @param {HTMLFormElement} form */
export function leaveOutRefused(form) {
  for (const input of findInputs(form, "[data-unless]")) {
    const isOut = isSo(form, input);
    chipOf(input)?.toggleAttribute("hidden", isOut);
    input.checked &&= !isOut;
  }
}

/* What a slot shows of a choice: its words, after the mark of the player whose it is. */
/** @param {HTMLElement} choice */
function shownChoice(choice) {
  const chip = /** @type {HTMLElement} */ (chipOf(choice)?.cloneNode(true));
  findRequired(chip, "input").remove();
  const shown = document.createElement("span");
  shown.dataset.chosen = /** @type {HTMLInputElement} */ (choice).value;
  const mark = choice.closest(".line")?.querySelector(".player-label .mark");
  if (mark) shown.append(mark.cloneNode(true));
  shown.append(...chip.childNodes);
  return shown;
}

/** Shows in each slot what was chosen.
 * @param {HTMLFormElement} form */
export function showChoices(form) {
  for (const slot of /** @type {Step[]} */ (findAll(form, "[data-step]"))) {
    const choices = findAll(panelOf(slot) ?? form, "input:checked").filter((choice) => chipOf(choice)?.hidden === false);
    findRequired(slot, "output").replaceChildren(...choices.map(shownChoice));
    slot.hidden = isSkipped(form, slot);
  }
}
