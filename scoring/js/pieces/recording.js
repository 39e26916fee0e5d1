/* A recorded hand is kept with each complete trick, when nobody taps for a while and when the page
   is left, so that any phone can go on. */

import { find } from "../dom.js";
import { wordsOf } from "./words.js";

const REST = 8000; // milliseconds without a tap after which somebody else may have to go on

/** @param {HTMLElement | null} preview */
const playIn = (preview) => preview && find(preview, "[data-play]");

/** Returns the hand that a form records, if it does.
 * @param {HTMLFormElement} form @returns {Recording | null} */
export function recordingOf(form) {
  const recorded = /** @type {HTMLInputElement | null} */ (find(form, "[data-pieces=played]"));
  const preview = find(form, "#preview");
  if (!recorded) return null;
  return { form, recorded, preview, tricks: Number(playIn(preview)?.dataset.tricks ?? 0) };
}

/** Returns what the referee says of what is there now, not of what was tapped before.
 * @param {Recording} recording */
export function currentPlay({ recorded, preview }) {
  const play = playIn(preview);
  return play && Number(play.dataset.count) === wordsOf(recorded.value).length ? play : null;
}

/** Keeps the hand as far as it was played.
 * @param {Recording} recording */
export function keepBegun(recording) {
  clearTimeout(recording.rest);
  const { form, recorded } = recording;
  const play = currentPlay(recording);
  // What is being saved is on its way already; what is refused waits for whoever taps.
  const mayKeep = play && !("waits" in play.dataset) && !find(play, ".refusal") && !form.hasAttribute("aria-busy");
  // What any phone may have: as the page came, and then as it was kept last.
  if (!mayKeep || recorded.value === (recorded.dataset.kept ?? recorded.defaultValue)) return;
  recorded.dataset.kept = recorded.value;
  document.dispatchEvent(new CustomEvent("tricky:begun", { detail: form }));
}

/** Keeps the hand once nobody has tapped for a while.
 * @param {Recording} recording */
export function keepAfterRest(recording) {
  clearTimeout(recording.rest);
  recording.rest = setTimeout(() => keepBegun(recording), REST);
}

/** Keeps the hand where a trick was completed.
 * @param {Recording} recording @param {DOMStringMap} play */
export function keepTrick(recording, { tricks, whole }) {
  const isMore = Number(tricks) > recording.tricks;
  if (isMore && whole === undefined) keepBegun(recording);
  recording.tricks = Number(tricks);
}
