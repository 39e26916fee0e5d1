/* The scorepad: slots above, one tray below, and the next slot opens by itself.

   Without this script the page is a plain form. The script
   - turns a fieldset with `data-panel` into a slot (a button), and moves its choices to the tray;
   - fills an input with `data-pad` from the keypad or a number grid;
   - sends an `input` event after each change, so that htmx requests the preview.
   Attributes of an input: data-digits, data-min, data-max, data-total (the sum of its row), data-row (the row whose
   sum is at most data-max), data-treats-seat (the seat whose treats the tray offers), data-prompt (the text above the keys).
   Attribute of the form: data-required-fields (the fields that a hand needs to be saved). */

import { find, findAll, findForm, findInputs } from "./dom.js";
import { startDraft } from "./draft.js";
import { saveCompleteRows, startUndo } from "./partial_hand.js";
import { listenToKeys, listenToTreats, showTreats, startExclusiveField } from "./entry/keys.js";
import { PointerTracker } from "./entry/pointer_tracker.js";
import { applyOffers, hideTrumpChoices, markFaults } from "./entry/preview.js";
import { findOpenSteps, getFieldName, hideExcludedChoices, isFilled, makeSlot, readField, showChoices } from "./entry/steps.js";
import { showWinners, startTally } from "./entry/tally.js";
import { focusInput, openStep, scrollAboveTray, showMissingStep } from "./entry/tray.js";

/** Removes the listeners of the previous page. @type {AbortController | undefined} */
let pageAbort;
const startPage = () => {
  pageAbort?.abort();
  pageAbort = new AbortController();
  const form = findForm("[data-entry]");
  const tray = form && find(form, "[data-tray]");
  if (!tray) return;
  const { signal } = pageAbort;
  const pointers = new PointerTracker(tray, signal);
  startPad({ form, tray, signal, pointers, current: null, isFresh: false, hasMoved: false, isPointed: false });
};
document.addEventListener("tricky:drawn", startPage);

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
  form.addEventListener("tricky:missing", ({ detail: step }) => showMissingStep(pad, step), { signal });
  hideTrumpChoices(form);
  refresh();
  updateOffers();
  if (find(form, "[data-partial-hand]")) startPartialHand(pad);
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
}

/* Lets a hand be saved before it is complete. */
/** @param {Pad} pad */
function startPartialHand(pad) {
  const { form, signal } = pad;
  const filled = findOpenSteps(form).filter(isFilled).map(getFieldName);
  startUndo(form, filled, (input) => focusInput(pad, input), signal);
  saveCompleteRows(form, signal);
}

startPage();
