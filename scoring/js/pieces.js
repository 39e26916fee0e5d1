/* Enters pieces by tapping: a first key opens the second keys, and a second key enters the piece.

   Pieces go into the input with data-pieces that was focused last, at first the plays. Without this script they are
   typed. While a hand is recorded, data-play of the preview says which pieces are spent and which keys to open. */

import { fillInput, find, findAll, findForm, findInputs, findRequired, listen, onEachPage } from "./browser.js";
import { startDraft } from "./draft.js";
import { hideExcludedChoices } from "./entry/steps.js";
import { isCurrent } from "./phone/preview.js";
import { currentPlay, findRecording, restoreDraft, saveCompletedTrick, saveDraft, savePartialHand, saveWhenIdle, showUnconfirmedTaps } from "./pieces/recording.js";
import {
  addPiece,
  addPieceUpTo,
  disableSpent,
  enableAllKeys,
  findOpenPanel,
  followsSuit,
  hideAllKeys,
  markTrumps,
  removeLastPiece,
  showKeys,
  splitWords,
  TapFilter,
} from "./pieces/pad.js";

/** @param {HTMLFormElement} form */
const findPlaysInput = (form) => findInputs(form, "[data-pieces=plays]")[0];

/** @param {HTMLFormElement} form @param {HTMLElement} keys @param {AbortSignal} signal */
function startPiecePad(form, keys, signal) {
  const recording = findRecording(form);
  const pieceInputs = findInputs(form, "[data-pieces]");
  // An input may have been tapped before the script was loaded.
  const tapped = pieceInputs.find((input) => input === document.activeElement);
  const target = tapped ?? findPlaysInput(form) ?? recording?.recorded ?? pieceInputs[0];
  /** @type {PiecePad} */
  const pad = { form, keys, target, isTurning: false, isChoosing: false };
  const taps = new TapFilter();
  keys.hidden = recording !== null;
  for (const element of findAll(form, "[data-no-script], [data-typed-field]")) element.hidden = true;
  for (const input of findInputs(form, "[data-pieces]")) {
    input.inputMode = "none";
    input.addEventListener("focus", () => ((pad.target = input), showKeys(pad)), { signal });
  }
  keys.addEventListener("pointerdown", (event) => taps.handlePointerDown(event), { signal });
  keys.addEventListener("click", (event) => {
    const key = taps.acceptTap(event, recording !== null && !currentPlay(recording));
    if (key) pressKey(pad, recording, key);
  }, { signal });
  showKeys(pad);
  drawPieces(form);
  if (recording) startRecording(pad, recording, signal);
}

/* Shows pictures of the pieces over the fields with their codes. */
/** @param {HTMLFormElement} form */
function drawPieces(form) {
  const template = /** @type {HTMLTemplateElement | null} */ (find(form, "template[data-piece-templates]"));
  for (const place of template ? findAll(form, "[data-piece-overlay]") : []) {
    const input = /** @type {HTMLInputElement} */ (form.elements.namedItem(place.dataset.pieceOverlay ?? ""));
    const images = splitWords(input.value).map((code) => template?.content.querySelector(`[data-code="${CSS.escape(code)}"]`));
    const copies = images.flatMap((image) => (image ? [image.cloneNode(true)] : []));
    // Shows the text instead if it has an unknown code.
    place.hidden = !copies.length || copies.length < images.length;
    place.replaceChildren(...copies);
  }
}

/** Sets the pieces of the current input, and shows the keys for the next piece.
 * @param {PiecePad} pad @param {Recording | null} recording @param {string} text @param {string} [opened] */
function setPieces(pad, recording, text, opened) {
  pad.target.value = text;
  drawPieces(pad.form);
  pad.isTurning = false;
  pad.isChoosing = false;
  enableAllKeys(pad);
  showKeys(pad, opened);
  if (recording) {
    saveDraft(pad.form, recording.recorded.value);
    saveWhenIdle(recording);
  }
  fillInput(pad.target, text);
  if (recording) showUnconfirmedTaps(recording, pad.keys);
}

/** @param {PiecePad} pad @param {Recording | null} recording @param {HTMLElement} key */
function pressKey(pad, recording, { dataset: key }) {
  const { value, dataset: { max } } = pad.target;
  if (key.piece) {
    // Most players follow suit, so the same keys stay open.
    const opened = followsSuit(pad) && !pad.isTurning ? findOpenPanel(pad) : undefined;
    const text = max ? addPieceUpTo(value, key.piece, Number(max)) : addPiece(value, key.piece, pad.isTurning);
    setPieces(pad, recording, text, opened);
  } else if (key.group || "back" in key) {
    pad.isChoosing = true;
    showKeys(pad, key.group);
  } else if ("undo" in key) setPieces(pad, recording, removeLastPiece(value));
  else if ("newTrump" in key) {
    pad.isTurning = true;
    showKeys(pad);
  } else if ("nextTrick" in key) {
    pad.target = findPlaysInput(pad.form);
    setPieces(pad, recording, "");
  }
}

/** Records a hand: shows what the preview says about each play, and saves the hand as it grows.
 * @param {PiecePad} pad @param {Recording} recording @param {AbortSignal} signal */
function startRecording(pad, recording, signal) {
  const { form, recorded, preview } = recording;
  const { keys } = pad;
  const hideExcluded = () => hideExcludedChoices(form);
  form.addEventListener("input", hideExcluded, { signal });
  hideExcluded();
  startDraft(form, hideExcluded, signal);
  const handlePreview = () => {
    // A refusal is at the top.
    preview?.scrollTo(0, 0);
    const play = currentPlay(recording);
    if (play) showPlay(pad, recording, play.dataset);
    showUnconfirmedTaps(recording, keys);
  };
  preview?.addEventListener("htmx:afterSwap", handlePreview, { signal });
  form.addEventListener("tricky:saved", () => saveDraft(form, ""), { signal });
  handlePreview();
  // A preview that was requested while the network was lost got no answer.
  const refreshPreview = () => (currentPlay(recording) && isCurrent(form)) || fillInput(recorded, recorded.value);
  listen("tricky:ready tricky:away tricky:back", refreshPreview, { signal });
  listen("visibilitychange", () => document.hidden && savePartialHand(recording), { signal });
  signal.addEventListener("abort", () => savePartialHand(recording));
  // Before the page is loaded, no listener would hear it.
  const continueDraft = () => {
    restoreDraft(form, recorded);
    showUnconfirmedTaps(recording, keys);
  };
  if (document.readyState === "complete") continueDraft();
  else addEventListener("load", continueDraft, { once: true, signal });
}

/** Shows the keys for the next play.
 * @param {PiecePad} pad @param {Recording} recording @param {DOMStringMap} play */
function showPlay(pad, recording, play) {
  const { form, keys } = pad;
  const isWaiting = "setupMissing" in play;
  const isWhole = "handComplete" in play;
  disableSpent(pad, play.spentPieces);
  markTrumps(pad, play.trumpPieces);
  // The contract makes room for the play.
  if (keys.hidden && !isWaiting) find(form, ".contract")?.removeAttribute("open");
  keys.hidden = isWaiting;
  findRequired(keys, "[data-new-trump]").hidden = !("newTrumpAllowed" in play);
  find(form, "[data-incomplete]")?.toggleAttribute("hidden", isWhole || isWaiting);
  find(form, "[data-complete]")?.toggleAttribute("hidden", !isWhole);
  if (followsSuit(pad) && !pad.isTurning && !pad.isChoosing && !isWhole) showKeys(pad, play.openGroup || undefined);
  if (isWhole) hideAllKeys(pad);
  saveCompletedTrick(recording, play);
}

const startPage = onEachPage("tricky:drawn", (signal) => {
  const form = findForm("[data-trick]");
  const keys = form && find(form, "[data-keys]");
  if (keys) startPiecePad(form, keys, signal);
});
// An update from another phone replaces the keys.
listen("htmx:afterSwap", ({ detail }) => detail?.target?.id === "live" && startPage());
