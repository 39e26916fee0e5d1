/* The scorepad: slots above, one tray below, and the next slot opens by itself.

   Without this script the page is a plain form. The script
   - turns a fieldset with `data-panel` into a slot (a button), and moves its choices to the tray;
   - fills an input with `data-pad` from the keypad or a number grid;
   - sends an `input` event after each change, so that htmx requests the preview.
   Attributes of an input: data-digits, data-min, data-max, data-total (the sum of its row), data-row (the row whose
   sum is at most data-max), data-treats-seat (the seat whose treats the tray offers), data-prompt (the text above the keys).
   Attribute of the form: data-required-fields (the fields that a hand needs to be saved). */

import { fillInput, find, findAll, findForm, findInputs, onEachPage } from "./browser.js";
import { startDraft } from "./draft.js";
import { saveCompleteRows, startUndo } from "./partial_hand.js";
import { listenToKeys, listenToTreats, showTreats, showWinners, startExclusiveField, startTally } from "./entry/keys.js";
import { PointerTracker } from "./entry/pointer_tracker.js";
import { findMissingSteps, findNamedInputs, findOpenSteps, findStep, getFieldName, getPanel, hideExcludedChoices, isFilled, makeSlot, readField, showChoices } from "./entry/steps.js";
import { advanceAutomatically, focusInput, getPrompt, openStep, scrollAboveTray } from "./entry/tray.js";

onEachPage("tricky:drawn", (signal) => {
  const form = findForm("[data-entry]");
  const tray = form && find(form, "[data-tray]");
  if (!tray) return;
  const pointers = new PointerTracker(tray, signal);
  startPad({ form, tray, signal, pointers, current: null, isFresh: false, hasMoved: false, isPointed: false });
});

/** @param {Pad} pad */
function startPad(pad) {
  const { form, signal } = pad;
  const refresh = () => refreshForm(form);
  const updateOffers = () => applyOffers(pad) && refresh();
  preparePad(pad);
  listenToKeys(pad, refresh);
  startExclusiveField(form, refresh, signal);
  listenToTreats(form);
  startTally(pad);
  document.body.addEventListener("htmx:afterSwap", () => {
    // The preview has the current faults; the old ones were of the form as it was sent.
    find(form, ":scope > .refusal")?.remove();
    markFaults(form);
    updateOffers();
    pad.pointers.runWhenReleased(() => pad.current && scrollAboveTray(pad, pad.current));
  }, { signal });
  startDraft(form, refresh, signal);
  form.addEventListener("tricky:missing", ({ detail: step }) => openStep(pad, step), { signal });
  limitTrumpChoices(form);
  refresh();
  updateOffers();
  // Lets a hand be saved before it is complete.
  if (find(form, "[data-partial-hand]")) {
    const filled = findOpenSteps(form).filter(isFilled).map(getFieldName);
    startUndo(form, filled, (input) => focusInput(pad, input), signal);
    saveCompleteRows(form, signal);
  }
  const steps = findOpenSteps(form);
  // A step may have been tapped before the script was loaded.
  const tapped = steps.find((step) => step === document.activeElement);
  const first = tapped ?? steps.find((step) => step.closest(".is-refused")) ?? steps.find((step) => !isFilled(step));
  if (first) openStep(pad, first);
}

/* Hides what is only for pages without scripts, and makes the slots. */
/** @param {Pad} pad */
function preparePad(pad) {
  const { form, tray } = pad;
  document.documentElement.classList.add("js");
  for (const element of findAll(form, "[data-no-script]")) element.hidden = true;
  for (const fieldset of findAll(form, "fieldset[data-panel]")) {
    const slot = makeSlot(fieldset, tray);
    slot.addEventListener("click", () => openStep(pad, slot));
  }
  for (const input of findInputs(form, "[data-pad]")) input.inputMode = "none";
}

/* Updates slots, winners, treats, and the buttons that need certain fields. */
/** @param {HTMLFormElement} form */
function refreshForm(form) {
  hideExcludedChoices(form);
  showChoices(form);
  showWinners(form);
  const isPlayed = findInputs(form, '[name^="points_"], [name^="tricks_won_"]').some(({ value }) => value);
  for (const button of findAll(form, "[data-contract-fields]")) {
    const names = (button.dataset.contractFields ?? "").split(" ");
    button.hidden = isPlayed || !names.every((name) => readField(form, name));
  }
  showTreats(form);
  showMissing(form);
}

/* Names the empty steps next to the button that saves: a die by its actor, a bid without its range. */
/** @param {HTMLFormElement} form */
function showMissing(form) {
  const line = find(form, "[data-missing]");
  if (!line) return;
  const names = new Set(findMissingSteps(form).map((step) => {
    const row = step.closest("[data-autosave-row]");
    return row ? find(row, ".name")?.textContent : getPrompt(step)?.split(/ ?[(:]/)[0];
  }));
  line.textContent = names.size ? `${line.dataset.missing} ${[...names].join(" · ")}` : "";
}

/* Applies the preview: marks faults, and offers only the choices that the dice allow. */

/** @param {HTMLFormElement} form */
function markFaults(form) {
  for (const input of findAll(form, "[aria-invalid]")) input.removeAttribute("aria-invalid");
  for (const slot of findAll(form, ".slot.is-refused")) slot.classList.remove("is-refused");
  for (const reason of findAll(form, ".slot .refusal, .trick .refusal")) reason.remove();
  for (const fault of findAll(form, "[data-fault]")) {
    const [input] = findNamedInputs(form, fault.dataset.fault ?? "");
    if (!input) continue;
    const step = findStep(form, input);
    step.setAttribute("aria-describedby", fault.id);
    step.closest(".slot")?.classList.add("is-refused");
    input.setAttribute("aria-invalid", "true");
  }
}

/** Shows only some choices of a group and unchecks the hidden ones; without `values` only checked choices stay.
 * @param {HTMLFormElement} form @param {string} group @param {string} [values] */
function limitChoices(form, group, values) {
  for (const chip of findAll(form, `${group} .chip`)) {
    const [choice] = findInputs(chip, "input");
    chip.hidden = !(values?.split(" ").includes(chip.dataset.value ?? "") ?? choice.checked);
    if (chip.hidden) choice.checked = false;
  }
}

/** Hides the trump choices that are not made, until the dice are known, and the whole group if nobody may declare trump.
 * @param {HTMLFormElement} form @param {string} [seats] */
function limitTrumpChoices(form, seats) {
  limitChoices(form, "[data-trump-choice]", seats);
  for (const group of findAll(form, "[data-trump-choice]")) group.hidden = !find(group, ".chip:not([hidden])");
}

/* A preview of other dice is outdated. */
/** @param {HTMLFormElement} form */
function getCurrentOffers(form) {
  const offers = find(form, "[data-offered-tiers]");
  const dice = findInputs(form, '[name^="dice_"]').map(({ value }) => value || "-");
  return offers?.dataset.dice === dice.join(" ") ? offers.dataset : null;
}

/** @param {Pad} pad @param {HTMLInputElement} tier */
function chooseTier(pad, tier) {
  tier.checked = true;
  fillInput(tier, tier.value);
  if (pad.current && getPanel(pad.current)?.contains(tier)) advanceAutomatically(pad);
}

/** Offers the tiers of DB2T, trump calls and discards that the dice allow. Returns whether the preview has any.
 * @param {Pad} pad */
function applyOffers(pad) {
  const { form } = pad;
  const offers = getCurrentOffers(form);
  if (!offers) return false;
  const { offeredTiers = "", trumpSeats, discardSeats } = offers;
  // Every key stays in its place.
  for (const tier of findNamedInputs(form, "tier")) {
    tier.disabled = !offeredTiers.split(" ").includes(tier.value);
    tier.checked &&= !tier.disabled;
  }
  limitTrumpChoices(form, trumpSeats);
  limitChoices(form, "[data-discarders]", discardSeats);
  const only = findNamedInputs(form, "tier").find(({ value }) => value === offeredTiers);
  if (only && !only.checked) chooseTier(pad, only);
  return true;
}
