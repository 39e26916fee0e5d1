/* Handles taps in the tray and keys of a real keyboard for the open step. */

import { createElement, fillInput, find, findAll, findInputs, findRequired, isDrawn } from "../browser.js";
import { removeLastPiece } from "../pieces/pad.js";
import { findNamedInputs, findOpenSteps, getPanel, readField } from "./steps.js";
import {
  advanceAutomatically,
  advanceOnRequest,
  changeSign,
  createKey,
  decrementTreats,
  hasAllDigits,
  incrementTreats,
  nextStep,
  numberRange,
  openStep,
  showNumberRefusal,
  stepNumber,
} from "./tray.js";

/* The keypad is only shown for inputs. */
/** @param {Pad} pad */
const currentInput = ({ current }) => /** @type {HTMLInputElement} */ (current);

/** Actions of the keys without a digit. @type {Record<string, (pad: Pad) => void>} */
const KEY_ACTIONS = {
  next: advanceOnRequest,
  delete: (pad) => fillInput(currentInput(pad), pad.isFresh ? "" : currentInput(pad).value.slice(0, -1)),
  sign: (pad) => fillInput(currentInput(pad), changeSign(currentInput(pad).value)),
  undo: (pad) => fillInput(currentInput(pad), removeLastPiece(currentInput(pad).value)),
};

/* A whole number on one key replaces the value of an input; in a tally it is appended. */
/** @param {Pad} pad @param {string} value */
function pressNumber(pad, value) {
  const input = currentInput(pad);
  if (input.dataset.pad === "tally") return fillInput(input, `${input.value} ${value}`.trim());
  fillInput(input, value);
  return advanceAutomatically(pad);
}

/** @param {Pad} pad @param {HTMLElement} button */
function pressKey(pad, { dataset: { key = "", value, add, kind, seat } }) {
  if (key !== "next") pad.hasMoved = false;
  if (seat !== undefined) giveTrick(pad, Number(seat));
  else if (kind) addTreat(pad, kind);
  else if (add) fillInput(currentInput(pad), stepNumber(currentInput(pad).value, add));
  else if (value !== undefined) pressNumber(pad, value);
  else if (key in KEY_ACTIONS) KEY_ACTIONS[key](pad);
  else fillInput(currentInput(pad), (pad.isFresh ? "" : currentInput(pad).value) + key);
}

/* One tap completes a choice, unless several choices belong together. */
/** @param {Pad} pad @param {HTMLElement} choice */
function advanceAfterChoice(pad, choice) {
  const staysOpen = choice.closest("[data-no-advance]") && !choice.matches("[data-final-choice]");
  if (!staysOpen) advanceAutomatically(pad);
}

/** @param {Pad} pad */
function listenToTray(pad) {
  const { tray, signal } = pad;
  tray.addEventListener("pointerdown", (event) => {
    pad.isPointed = true;
    // So that the slot keeps the focus.
    if (/** @type {Element} */ (event.target).closest("button")) event.preventDefault();
  });
  document.addEventListener("keydown", () => (pad.isPointed = false), { capture: true, signal });
  tray.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const button = target.closest("button");
    if (button) pressKey(pad, button);
    else if (pad.isPointed && target.matches("input")) advanceAfterChoice(pad, target);
  });
}

/* A full field opens the next step, with a real keyboard as well. */
/** @param {Pad} pad @param {Event} event */
function handleInput(pad, { target, isTrusted }) {
  const input = /** @type {HTMLInputElement} */ (target);
  if (input !== pad.current) return;
  const isTyped = input.dataset.pad === "keypad" || isTrusted;
  if (!isTyped) return;
  const isWhole = hasAllDigits(input.value, input.dataset.digits);
  const isRefused = showNumberRefusal(pad, isWhole);
  // The next digit replaces a number that is not allowed.
  pad.isFresh = isRefused && isWhole;
  pad.hasMoved = false;
  if (pad.isFresh) input.select();
  else if (isWhole) advanceAutomatically(pad);
}

/** Keys that move the focus from a slot to its choices, because these come much later on the page. */
const TO_CHOICES = ["Enter", " ", "Tab", "ArrowDown", "ArrowRight"];

/** Moves the focus from the open slot to its choices, and from the last choice to the next step.
 * @param {Pad} pad @param {KeyboardEvent} event @returns {boolean} whether it did */
function moveThroughChoices(pad, { key, shiftKey, target }) {
  const panel = pad.current && getPanel(pad.current);
  if (!panel || shiftKey) return false;
  const choices = findInputs(panel, ".chip:not([hidden]) input:not(:disabled)");
  if (target === pad.current && TO_CHOICES.includes(key)) {
    (choices.find(({ checked }) => checked) ?? choices[0])?.focus();
    return choices.length > 0;
  }
  const last = choices.findLast(({ type, name, checked }) => type !== "radio" || checked || !readField(pad.form, name));
  const isLast = target === last || (last?.type === "radio" && /** @type {HTMLInputElement} */ (target).name === last.name);
  if (key === "Tab" && isLast) advanceOnRequest(pad);
  return key === "Tab" && isLast;
}

/* Some people press Next or Tab after every number. If the next step has opened by itself, the key does nothing. */
/** @param {Pad} pad @param {KeyboardEvent} event */
function handleKey(pad, event) {
  if (!pad.hasMoved && moveThroughChoices(pad, event)) return event.preventDefault();
  const isLeaving = event.key === "Enter" || (event.key === "Tab" && !event.shiftKey);
  const isInput = /** @type {Element} */ (event.target).matches("input");
  if (isLeaving && pad.hasMoved) {
    event.preventDefault();
    pad.hasMoved = false;
  } else if (event.key === "Enter" && isInput) {
    event.preventDefault();
    if (pad.current) advanceOnRequest(pad);
  }
}

/** Lets taps and keys fill the form. `refresh` runs after each change.
 * @param {Pad} pad @param {() => void} refresh */
export function listenToKeys(pad, refresh) {
  const { form } = pad;
  listenToTray(pad);
  form.addEventListener("input", (event) => {
    refresh();
    if (pad.current) showNumberRefusal(pad);
    handleInput(pad, event);
  });
  form.addEventListener("focusin", ({ target }) => {
    const step = /** @type {Step} */ (target);
    if (step.matches('[data-pad]:not([data-pad="none"])') && step !== pad.current) openStep(pad, step);
  });
  form.addEventListener("keydown", (event) => handleKey(pad, event));
}

/** Clears all other fields when an exclusive one is chosen, like "Everyone passed", and the other way round.
 * @param {HTMLFormElement} form @param {() => void} refresh @param {AbortSignal} signal */
export function startExclusiveField(form, refresh, signal) {
  const exclusive = /** @type {HTMLInputElement | null} */ (find(form, "[data-exclusive]"));
  if (!exclusive) return;
  const others = findInputs(form, "[data-path]:not([data-exclusive], [data-format=bids])");
  const exclude = (/** @type {Event} */ { target }) => {
    if (!exclusive.checked) return;
    if (target === exclusive) {
      for (const input of others) {
        if (input.type === "radio") input.checked = false;
        else input.value = "";
      }
    } else if (others.includes(/** @type {HTMLInputElement} */ (target))) exclusive.checked = false;
    refresh();
  };
  form.addEventListener("input", exclude, { signal });
}

/* A tap in the tray adds a treat, a tap on its chip removes one. */

/** Adds a treat to the seat of the open step.
 * @param {Pad} pad @param {string} kind */
function addTreat({ form, current }, kind) {
  const [treat] = findNamedInputs(form, `treats_${current?.dataset.treatsSeat}_${kind}`);
  fillInput(treat, incrementTreats(treat.value, treat.dataset.max));
}

/** Shows the chips of treats that a seat has.
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
      fillInput(treat, decrementTreats(treat.value));
    });
  }
}

/* The tally of tricks: tap the seat that won the trick, then its antes. The next seat begins the next trick. */

const HIGHEST = 15; // of the antes

/** Gives a seat the open trick, or the next one if the open trick already has antes.
 * @param {Pad} pad @param {number} seat */
export function giveTrick(pad, seat) {
  if (pad.current?.value.trim()) {
    const next = nextStep(pad);
    if (!next) return;
    openStep(pad, next);
  }
  const winner = findNamedInputs(pad.form, (pad.current?.name ?? "").replace("antes", "winner"))[seat];
  winner.checked = true;
  winner.dispatchEvent(new Event("input", { bubbles: true }));
}

/* Copies the look of a seat from its chip in the first trick. */
/** @param {HTMLElement} chip @param {number} seat */
function createSeatKey(chip, seat) {
  const key = createElement("button", { type: "button" }, ...findAll(chip, ".mark, .name").map((part) => part.cloneNode(true)));
  key.dataset.seat = String(seat);
  return key;
}

/** @param {HTMLElement} tally */
function clearTally(tally) {
  for (const winner of findInputs(tally, ":checked")) winner.checked = false;
  for (const antes of findInputs(tally, "[data-pad]")) antes.value = "";
}

/** Creates the keys of the tally, if the form has one.
 * @param {Pad} pad */
export function startTally(pad) {
  const { form, tray } = pad;
  const tally = /** @type {HTMLDetailsElement | null} */ (find(form, "[data-tally]"));
  if (!tally) return;
  findRequired(tray, "[data-winners]").append(...findAll(tally, ".trick:first-of-type .chip").map(createSeatKey));
  findRequired(tray, "[data-antes]").replaceChildren(...numberRange(0, HIGHEST).map((ante) => createKey(ante)));
  const sums = findRequired(form, "[data-sums]");
  // A sum that was typed replaces the tally, which would take precedence.
  sums.addEventListener("input", () => tally.open || clearTally(tally));
  tally.addEventListener("toggle", () => {
    sums.hidden = tally.open;
    if (tally.open || !(pad.current && isDrawn(pad.current))) openStep(pad, findOpenSteps(form)[0]);
  });
}

/** Shows the winner of each trick, or its number if it has none yet.
 * @param {HTMLFormElement} form */
export function showWinners(form) {
  for (const winner of findAll(form, ".trick [data-winner-label]")) {
    const [choice] = findInputs(/** @type {HTMLElement} */ (winner.closest(".trick")), ":checked");
    winner.textContent = choice?.closest(".chip")?.querySelector(".name")?.textContent ?? winner.dataset.winnerLabel ?? "";
  }
}
