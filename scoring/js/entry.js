/* The pad: slots above, one tray below, and the next slot opens by itself.

   The page is a plain form: without this file every field is filled in directly. Here
   - a fieldset with `data-panel` becomes a slot (a button), its choices move to the tray;
   - an input with `data-pad` is a slot of its own, filled by the keypad or a number grid;
   - whatever is set sends an `input` event, so htmx asks for the preview.
   Attributes of an input: data-digits, data-least, data-most, data-total (what a row of
   inputs adds up to), data-row (the row of inputs that together come to data-most at the most), data-treats (the seat whose treats the tray offers), data-asks.
   The form names in data-needed the fields without which a hand is not saved. */

import { find, findAll, findForm, findInputs } from "./dom.js";
import { startDraft } from "./draft.js";
import { saveCompleteRows, startUndo } from "./partial_hand.js";
import { excludeOthers, listenToKeys, listenToTreats, showTreats } from "./entry/keys.js";
import { Fingers } from "./entry/fingers.js";
import { hideTrumpers, markFaults, offerTiers } from "./entry/preview.js";
import { isFilled, leaveOutRefused, makeSlot, nameOf, showChoices, stepsOf, valueOf } from "./entry/steps.js";
import { showWinners, startTally } from "./entry/tally.js";
import { openStep, seeAbove, showInput, showMissing } from "./entry/tray.js";

/** Ends what listens to the page that was drawn before. @type {AbortController | undefined} */
let drawn;
const begin = () => {
  drawn?.abort();
  drawn = new AbortController();
  const form = findForm("[data-entry]");
  const tray = form && find(form, "[data-tray]");
  if (!tray) return;
  const { signal } = drawn;
  const fingers = new Fingers(tray, signal);
  start({ form, tray, signal, fingers, current: null, isFresh: false, hasMoved: false, isPointed: false });
};
document.addEventListener("tricky:drawn", begin);

/** @param {Pad} pad */
function start(pad) {
  const { form, signal } = pad;
  const refresh = () => show(form);
  const offer = () => offerTiers(pad) && refresh();
  prepare(pad);
  listenToKeys(pad, refresh);
  excludeOthers(form, refresh, signal);
  listenToTreats(form);
  startTally(pad);
  document.body.addEventListener("htmx:afterSwap", () => {
    // The preview says what is wrong now, not what was when the form was sent.
    find(form, ":scope > .refusal")?.remove();
    markFaults(form);
    offer();
    pad.fingers.whenUp(() => pad.current && seeAbove(pad, pad.current));
  }, { signal });
  startDraft(form, refresh, signal);
  form.addEventListener("tricky:missing", ({ detail: step }) => showMissing(pad, step), { signal });
  hideTrumpers(form);
  refresh();
  offer();
  if (find(form, "[data-begun]")) goOnLater(pad);
  const steps = stepsOf(form);
  // Who was quicker than this script has tapped one already.
  const tapped = steps.find((step) => step === document.activeElement);
  const first = tapped ?? steps.find((step) => step.closest(".is-refused")) ?? steps.find((step) => !isFilled(step));
  if (first) openStep(pad, first);
}

/* What needs no script goes, and slots come. */
/** @param {Pad} pad */
function prepare(pad) {
  const { form, tray } = pad;
  document.documentElement.classList.add("js");
  for (const element of findAll(form, "[data-no-script]")) element.hidden = true;
  for (const fieldset of findAll(form, "fieldset[data-panel]")) {
    const slot = makeSlot(fieldset, tray);
    slot.addEventListener("click", () => openStep(pad, slot));
  }
  for (const input of findInputs(form, "[data-pad]")) input.inputMode = "none";
}

/* What was set shows in the slots, and what can be saved by it. */
/** @param {HTMLFormElement} form */
function show(form) {
  leaveOutRefused(form);
  showChoices(form);
  showWinners(form);
  const isPlayed = findInputs(form, '[name^="points_"], [name^="tricks_won_"]').some(({ value }) => value);
  for (const button of findAll(form, "[data-when]")) {
    const names = (button.dataset.when ?? "").split(" ");
    button.hidden = isPlayed || !names.every((name) => valueOf(form, name));
  }
  showTreats(form);
}

/* A hand that may be begun. */
/** @param {Pad} pad */
function goOnLater(pad) {
  const { form, signal } = pad;
  const filled = stepsOf(form).filter(isFilled).map(nameOf);
  startUndo(form, filled, (input) => showInput(pad, input), signal);
  saveCompleteRows(form, signal);
}

begin();
