/* What a tap in the tray, or a real keyboard, does to the step that is open. */

import { fillInput, find, findAll, findInputs } from "../dom.js";
import { isFull, oneFewer, oneMore, stepped, withoutLast } from "./numbers.js";
import { inputsNamed, panelOf, valueOf } from "./steps.js";
import { takeTrick } from "./tally.js";
import { advanceAlone, moveOn, openStep, refuses } from "./tray.js";

/* The input that is open; keys are shown for no other step. */
/** @param {Pad} pad */
const openInput = ({ current }) => /** @type {HTMLInputElement} */ (current);

/** What keys do that are no digits. @type {Record<string, (pad: Pad) => void>} */
const PRESS = {
  next: moveOn,
  delete: (pad) => fillInput(openInput(pad), pad.isFresh ? "" : openInput(pad).value.slice(0, -1)),
  undo: (pad) => fillInput(openInput(pad), withoutLast(openInput(pad).value)),
};

/* A number on a key of its own is all of an input, but one more of a tally. */
/** @param {Pad} pad @param {string} value */
function pressNumber(pad, value) {
  const input = openInput(pad);
  if (input.dataset.pad === "tally") return fillInput(input, `${input.value} ${value}`.trim());
  fillInput(input, value);
  return advanceAlone(pad);
}

/** @param {Pad} pad @param {HTMLElement} button */
function press(pad, { dataset: { key = "", value, add, kind, seat } }) {
  if (key !== "next") pad.hasMoved = false;
  if (seat !== undefined) takeTrick(pad, Number(seat));
  else if (kind) gain(pad, kind);
  else if (add) fillInput(openInput(pad), stepped(openInput(pad).value, add));
  else if (value !== undefined) pressNumber(pad, value);
  else if (key in PRESS) PRESS[key](pad);
  else fillInput(openInput(pad), (pad.isFresh ? "" : openInput(pad).value) + key);
}

/* A choice is made with one tap, but where several belong together. */
/** @param {Pad} pad @param {HTMLElement} choice */
function moveOnAfter(pad, choice) {
  const stays = choice.closest("[data-stay]") && !choice.matches("[data-ends]");
  if (!stays) advanceAlone(pad);
}

/** @param {Pad} pad */
function listenToTray(pad) {
  const { tray, signal } = pad;
  tray.addEventListener("pointerdown", (event) => {
    pad.isPointed = true;
    // The slot keeps the focus.
    if (/** @type {Element} */ (event.target).closest("button")) event.preventDefault();
  });
  document.addEventListener("keydown", () => (pad.isPointed = false), { capture: true, signal });
  tray.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const button = target.closest("button");
    if (button) press(pad, button);
    else if (pad.isPointed && target.matches("input")) moveOnAfter(pad, target);
  });
}

/* A field that is full moves on by itself; a real keyboard does the same. */
/** @param {Pad} pad @param {Event} event */
function hearInput(pad, { target, isTrusted }) {
  const input = /** @type {HTMLInputElement} */ (target);
  if (input !== pad.current) return;
  const isTyped = input.dataset.pad === "keypad" || isTrusted;
  if (!isTyped) return;
  const isWhole = isFull(input.value, input.dataset.digits);
  const isRefused = refuses(pad, isWhole);
  // What is typed over a number that cannot be takes its place.
  pad.isFresh = isRefused && isWhole;
  pad.hasMoved = false;
  if (pad.isFresh) input.select();
  else if (isWhole) advanceAlone(pad);
}

/** Keys that lead from a slot to its choices, which stand in the tray, far behind it. */
const TO_CHOICES = ["Enter", " ", "Tab", "ArrowDown", "ArrowRight"];

/** Leads from the open slot to its choices, and from the last of these to the next step.
 * @param {Pad} pad @param {KeyboardEvent} event @returns {boolean} whether it did */
function walksThroughChoices(pad, { key, shiftKey, target }) {
  const panel = pad.current && panelOf(pad.current);
  if (!panel || shiftKey) return false;
  const choices = findInputs(panel, ".chip:not([hidden]) input:not(:disabled)");
  if (target === pad.current && TO_CHOICES.includes(key)) {
    (choices.find(({ checked }) => checked) ?? choices[0])?.focus();
    return choices.length > 0;
  }
  const last = choices.findLast(({ type, name, checked }) => type !== "radio" || checked || !valueOf(pad.form, name));
  const isLast = target === last || (last?.type === "radio" && /** @type {HTMLInputElement} */ (target).name === last.name);
  if (key === "Tab" && isLast) moveOn(pad);
  return key === "Tab" && isLast;
}

/* Who presses Next or Tab after every number, by habit, is where they want to be already. */
/** @param {Pad} pad @param {KeyboardEvent} event */
function hearKey(pad, event) {
  if (!pad.hasMoved && walksThroughChoices(pad, event)) return event.preventDefault();
  const isLeaving = event.key === "Enter" || (event.key === "Tab" && !event.shiftKey);
  const isInput = /** @type {Element} */ (event.target).matches("input");
  if (isLeaving && pad.hasMoved) {
    event.preventDefault();
    pad.hasMoved = false;
  } else if (event.key === "Enter" && isInput) {
    event.preventDefault();
    if (pad.current) moveOn(pad);
  }
}

/** Lets taps and keys fill the form; whatever is set is told to `refresh`.
 * @param {Pad} pad @param {() => void} refresh */
export function listenToKeys(pad, refresh) {
  const { form } = pad;
  listenToTray(pad);
  form.addEventListener("input", (event) => {
    refresh();
    if (pad.current) refuses(pad);
    hearInput(pad, event);
  });
  form.addEventListener("focusin", ({ target }) => {
    const step = /** @type {Step} */ (target);
    if (step.matches('[data-pad]:not([data-pad="none"])') && step !== pad.current) openStep(pad, step);
  });
  form.addEventListener("keydown", (event) => hearKey(pad, event));
}

/* What stands alone, as "Everyone passed" does, and all the rest exclude each other: what was said
   last holds, and is seen to. */

/** @param {HTMLFormElement} form @param {() => void} refresh @param {AbortSignal} signal */
export function excludeOthers(form, refresh, signal) {
  const alone = /** @type {HTMLInputElement | null} */ (find(form, "[data-alone]"));
  if (!alone) return;
  const others = findInputs(form, "[data-path]:not([data-alone], [data-as=bids])");
  const exclude = (/** @type {Event} */ { target }) => {
    if (!alone.checked) return;
    if (target === alone) {
      for (const input of others) {
        if (input.type === "radio") input.checked = false;
        else input.value = "";
      }
    } else if (others.includes(/** @type {HTMLInputElement} */ (target))) alone.checked = false;
    refresh();
  };
  form.addEventListener("input", exclude, { signal });
}

/* Treats: a kind is gained in the tray and lost by a tap on its chip. */

/** The seat whose step is open has one more of a kind.
 * @param {Pad} pad @param {string} kind */
export function gain({ form, current }, kind) {
  const [treat] = inputsNamed(form, `treats_${current?.dataset.treats}_${kind}`);
  fillInput(treat, oneMore(treat.value, treat.dataset.most));
}

/** Shows the treats that are held.
 * @param {HTMLFormElement} form */
export function showTreats(form) {
  for (const chip of findAll(form, ".treat")) {
    chip.hidden = !Number(findInputs(chip, "input")[0].value);
    chip.title = chip.textContent;
  }
}

/** @param {HTMLFormElement} form */
export function listenToTreats(form) {
  for (const chip of findAll(form, ".treat")) {
    chip.addEventListener("click", (event) => {
      const [treat] = findInputs(chip, "input");
      event.preventDefault();
      fillInput(treat, oneFewer(treat.value));
    });
  }
}
