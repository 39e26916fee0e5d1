/* A recorded hand is saved after each trick, when nobody taps for a while, and when the page is left, so that any phone
   can continue. */

import { fillInput, find, readStorage, writeStorage } from "../browser.js";
import { isContinuation, splitWords } from "./pad.js";

const IDLE_TIME = 8000; // milliseconds without a tap before the hand is saved

/** @param {HTMLElement | null} preview */
const findPlay = (preview) => preview && find(preview, "[data-play]");

/** Returns the recording of a form, or null for other forms.
 * @param {HTMLFormElement} form @returns {Recording | null} */
export function findRecording(form) {
  const recorded = /** @type {HTMLInputElement | null} */ (find(form, "[data-pieces=played]"));
  const preview = find(form, "#preview");
  if (!recorded) return null;
  return { form, recorded, preview, tricks: Number(findPlay(preview)?.dataset.trickCount ?? 0) };
}

/** Returns the play in the preview, unless it is of an earlier state.
 * @param {Recording} recording */
export function currentPlay({ recorded, preview }) {
  const play = findPlay(preview);
  return play && Number(play.dataset.pieceCount) === splitWords(recorded.value).length ? play : null;
}

/** Saves the hand as far as it was played.
 * @param {Recording} recording */
export function savePartialHand(recording) {
  clearTimeout(recording.idleTimer);
  const { form, recorded } = recording;
  const play = currentPlay(recording);
  // Not while the form is being saved, nor if the hand is refused.
  const canSave = play && !("setupMissing" in play.dataset) && !find(play, ".refusal") && !form.hasAttribute("aria-busy");
  // Not if it is unchanged since it was loaded or saved.
  if (!canSave || recorded.value === (recorded.dataset.savedValue ?? recorded.defaultValue)) return;
  recorded.dataset.savedValue = recorded.value;
  document.dispatchEvent(new CustomEvent("tricky:partial-hand", { detail: form }));
}

/** @param {Recording} recording */
export function saveWhenIdle(recording) {
  clearTimeout(recording.idleTimer);
  recording.idleTimer = setTimeout(() => savePartialHand(recording), IDLE_TIME);
}

/** Saves the hand if a trick was completed, but not the last one.
 * @param {Recording} recording @param {DOMStringMap} play */
export function saveCompletedTrick(recording, { trickCount, handComplete }) {
  const isMore = Number(trickCount) > recording.tricks;
  if (isMore && handComplete === undefined) savePartialHand(recording);
  recording.tricks = Number(trickCount);
}

/* Drafts: what was tapped since the last trick survives a reload on this phone. */

/** @param {HTMLFormElement} form */
const storageKey = ({ dataset: { address, number, entryKind } }) => `tricky-draft:${address}:${number}:${entryKind}`;

/** Saves a draft, or deletes it if it is empty.
 * @param {HTMLFormElement} form @param {string} text */
export const saveDraft = (form, text) => writeStorage(storageKey(form), text);

/** Restores the draft of a hand if it has more than the page.
 * @param {HTMLFormElement} form @param {HTMLInputElement} recorded */
export function restoreDraft(form, recorded) {
  const draft = readStorage(storageKey(form)) ?? "";
  if (isContinuation(draft, recorded.value)) fillInput(recorded, draft);
}

/* Without the network, and without the local server, there is no preview. The unconfirmed taps are shown instead. */

const ANSWER_TIMEOUT = 1200; // milliseconds that a preview usually takes at most

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Returns the name of a piece as on its keys; a die is its code, `d8:7`.
 * @param {HTMLElement} keys @param {string} piece */
function getPieceName(keys, piece) {
  const key = find(keys, `[data-piece="${CSS.escape(piece)}"]`);
  if (!key || piece.includes(":")) return piece;
  const kind = key.closest("[data-second-keys]")?.getAttribute("data-second-keys") ?? "";
  const first = find(keys, `[data-group="${CSS.escape(kind)}"]`);
  return [first, key].map((each) => each?.textContent.trim()).filter(Boolean).join(" ");
}

/** Shows the taps since the last preview, if neither the server nor the local server answers.
 * @param {Recording} recording @param {HTMLElement} keys */
export function showUnconfirmedTaps(recording, keys) {
  const { form, recorded, preview } = recording;
  const place = find(form, "[data-unconfirmed-taps]");
  if (!place || !preview) return;
  clearTimeout(timer);
  const show = (/** @type {boolean} */ isUnconfirmed) => {
    place.hidden = !isUnconfirmed;
    preview.toggleAttribute("data-stale", isUnconfirmed);
    if (!isUnconfirmed) return;
    const known = Number(find(preview, "[data-play]")?.dataset.pieceCount ?? 0);
    const tapped = splitWords(recorded.value).slice(known);
    const words = find(place, "[data-tap-list]");
    if (words) words.textContent = tapped.map((piece) => getPieceName(keys, piece)).join(" · ");
    // Tapped pieces prove that there is a contract.
    if (recorded.value) keys.hidden = false;
  };
  if (currentPlay(recording)) return show(false);
  timer = setTimeout(() => {
    const isAway = "noNetwork" in document.documentElement.dataset || !navigator.onLine;
    if (!currentPlay(recording) && isAway) show(true);
  }, ANSWER_TIMEOUT);
}
