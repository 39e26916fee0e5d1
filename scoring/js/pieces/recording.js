/* A recorded hand is kept with each complete trick, when nobody taps for a while and when the page
   is left, so that any phone can go on. */

import { fillInput, find } from "../dom.js";
import { goesOn, wordsOf } from "./words.js";

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

/* What was tapped since the last trick outlives a reload on this phone. */

/* Private windows keep no drafts. */
/** @template T @param {() => T} act @returns {T | null} */
function orNothing(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

/** @param {HTMLFormElement} form */
const placeOf = ({ dataset: { address, number, keep } }) => `tricky-draft:${address}:${number}:${keep}`;

/** @param {HTMLFormElement} form @param {string} text */
export const keepDraft = (form, text) => orNothing(() => localStorage.setItem(placeOf(form), text));

/** @param {HTMLFormElement} form */
export const dropDraft = (form) => orNothing(() => localStorage.removeItem(placeOf(form)));

/** Goes on with the draft of a hand, where it has more than the page.
 * @param {HTMLFormElement} form @param {HTMLInputElement} recorded */
export function takeDraft(form, recorded) {
  const draft = orNothing(() => localStorage.getItem(placeOf(form)));
  if (draft && goesOn(draft, recorded.value)) fillInput(recorded, draft);
}

/* Without the network, and without the rules on this phone, nobody says whose turn it is. What was tapped
   since then stands there as it was tapped, in the place of what was asked before. */

const PATIENCE = 1200; // milliseconds in which a hand is usually heard of

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** Returns what a piece is called on its keys; a die is read as it is written, `d8:7`.
 * @param {HTMLElement} keys @param {string} piece */
function nameOf(keys, piece) {
  const key = find(keys, `[data-piece="${CSS.escape(piece)}"]`);
  if (!key || piece.includes(":")) return piece;
  const kind = key.closest("[data-second]")?.getAttribute("data-second") ?? "";
  const first = find(keys, `[data-opens="${CSS.escape(kind)}"]`);
  return [first, key].map((each) => each?.textContent.trim()).filter(Boolean).join(" ");
}

/** Shows what was tapped since the referee was last heard, where nobody is there to hear.
 * @param {Recording} recording @param {HTMLElement} keys */
export function showUnconfirmedTaps(recording, keys) {
  const { form, recorded, preview } = recording;
  const place = find(form, "[data-unheard]");
  if (!place || !preview) return;
  clearTimeout(waiting);
  const isHeard = Boolean(currentPlay(recording));
  if (isHeard) return show(false);
  waiting = setTimeout(() => {
    const isAway = "away" in document.documentElement.dataset || !navigator.onLine;
    if (!currentPlay(recording) && isAway) show(true);
  }, PATIENCE);

  /** @param {boolean} isUnheard */
  function show(isUnheard) {
    if (!place || !preview) return;
    place.hidden = !isUnheard;
    preview.toggleAttribute("data-stale", isUnheard);
    if (!isUnheard) return;
    const known = Number(find(preview, "[data-play]")?.dataset.count ?? 0);
    const tapped = wordsOf(recorded.value).slice(known);
    const words = find(place, "[data-tapped]");
    if (words) words.textContent = tapped.map((piece) => nameOf(keys, piece)).join(" · ");
    // What is tapped shows that the contract was there.
    if (recorded.value) keys.hidden = false;
  }
}
