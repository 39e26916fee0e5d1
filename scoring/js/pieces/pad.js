/* The keys for pieces: which are open, which are spent, and what a tap adds to the text of a field. */

import { find, findAll, findInputs, findRequired, findTapped } from "../browser.js";

/** @param {HTMLElement} keys @returns {HTMLButtonElement[]} */
const findButtons = (keys, selector = "button") => [...keys.querySelectorAll(/** @type {"button"} */ (selector))];

/** Whether players have to follow suit. Then the first keys stay visible, so that another suit is one tap away.
 * @param {PiecePad} pad */
export const followsSuit = ({ keys }) => "ledSuitOpen" in keys.dataset;

/** Returns the name of the open second keys.
 * @param {PiecePad} pad */
export const findOpenPanel = ({ keys }) => find(keys, "[data-second-keys]:not([hidden])")?.dataset.secondKeys;

/** Shows the first keys, the second keys that a first one opens, or the keys for the last piece.
 * @param {PiecePad} pad @param {string} [opened] */
export function showKeys(pad, opened) {
  const { form, keys, target } = pad;
  const first = findRequired(keys, "[data-first-keys]");
  const last = find(keys, "[data-last-keys]");
  const targets = findInputs(form, "[data-pieces]");
  for (const input of targets) input.toggleAttribute("data-current", targets.length > 1 && input === target);
  const isLast = last !== null && isLastPiece(target.value, keys.dataset.piecesPerPlay);
  for (const panel of findAll(keys, "[data-second-keys]")) panel.hidden = panel.dataset.secondKeys !== opened;
  first.hidden = (Boolean(opened) && !followsSuit(pad)) || isLast;
  findRequired(keys, "[data-back]").hidden = !opened || followsSuit(pad);
  for (const key of findButtons(first)) key.setAttribute("aria-expanded", String(key.dataset.group === opened));
  if (last) last.hidden = !isLast;
  const shown = findAll(keys, ".grid").findLast((panel) => !panel.hidden);
  if (shown && keys.contains(document.activeElement)) find(shown, "button:not(:disabled)")?.focus({ preventScroll: true });
}

/** Enables all keys, because the next player has other pieces.
 * @param {PiecePad} pad */
export function enableAllKeys({ keys }) {
  for (const key of findButtons(keys, ":disabled")) key.disabled = false;
}

/** Disables the keys of spent pieces, and first keys without any piece left.
 * @param {PiecePad} pad @param {string | undefined} spent */
export function disableSpent({ keys }, spent) {
  const spentPieces = new Set(splitWords(spent));
  for (const key of findButtons(keys, "[data-piece]")) key.disabled = spentPieces.has(key.dataset.piece ?? "");
  for (const key of findButtons(keys, "[data-group]")) {
    key.disabled = !find(keys, `[data-second-keys="${CSS.escape(key.dataset.group ?? "")}"] :enabled`);
  }
}

/** Marks the keys of trumps: single pieces, or the first key if all its pieces are trump.
 * @param {PiecePad} pad @param {string | undefined} trumps */
export function markTrumps({ keys }, trumps) {
  const trumpPieces = new Set(splitWords(trumps));
  const trumpPanels = new Set();
  for (const panel of findAll(keys, "[data-second-keys]")) {
    const seconds = findButtons(panel, "[data-piece]");
    const marked = seconds.filter((key) => trumpPieces.has(key.dataset.piece ?? ""));
    const areAllTrump = marked.length === seconds.length;
    if (areAllTrump) trumpPanels.add(panel.dataset.secondKeys);
    for (const key of seconds) key.classList.toggle("trump", !areAllTrump && marked.includes(key));
  }
  for (const key of findButtons(keys, "[data-group]")) key.classList.toggle("trump", trumpPanels.has(key.dataset.group));
}

/** @param {PiecePad} pad */
export function hideAllKeys({ keys }) {
  for (const panel of findAll(keys, ".grid")) panel.hidden = true;
}

/* The text: codes separated by spaces. */

/** @param {string | undefined} text */
export const splitWords = (text) => (text ?? "").split(/\s+/).filter(Boolean);

/** Appends a piece; a card that `turns` is a new trump.
 * @param {string} text @param {string} piece @param {boolean} turns */
export const addPiece = (text, piece, turns) => [...splitWords(text), (turns ? "+" : "") + piece].join(" ");

/** Appends a piece; a full list starts again with it.
 * @param {string} text @param {string} piece @param {number} most */
export function addPieceUpTo(text, piece, most) {
  const words = splitWords(text);
  return [...(words.length < most ? words : []), piece].join(" ");
}

/** @param {string} text */
export const removeLastPiece = (text) => splitWords(text).slice(0, -1).join(" ");

/** Whether the next piece is the last one of a player.
 * @param {string} text @param {string | undefined} each */
export const isLastPiece = (text, each) => splitWords(text).length % Number(each) === Number(each) - 1;

/** Whether a draft continues a list.
 * @param {string} draft @param {string} text */
export const isContinuation = (draft, text) => draft !== text && draft.startsWith(text);

/* Taps: the key under the finger when it came down counts, and a double tap counts once. */

const DOUBLE_TAP_TIME = 400; // milliseconds
const ANSWER_TIMEOUT = 3000; // milliseconds that a key waits for the preview of its first tap
const NEAR = 24; // pixels between two taps at the same place

/** @typedef {{ key: HTMLElement | null, x: number, y: number, time: number }} Press */

export class TapFilter {
  constructor() {
    /** @type {Press | undefined} */
    this.now = undefined;
    /** The last accepted one. @type {Press | undefined} */
    this.last = undefined;
  }

  /** @param {PointerEvent} event */
  handlePointerDown(event) {
    this.now = { key: findTapped(event, "button"), x: event.clientX, y: event.clientY, time: event.timeStamp };
  }

  /** Returns the tapped key, or null for a double tap.
   * @param {MouseEvent} event @param {boolean} isUnanswered whether the last tap has no preview yet
   * @returns {HTMLElement | null} */
  acceptTap(event, isUnanswered) {
    // Clicks of keyboards and screen readers have no pointer.
    if (event.detail === 0 || !this.now) return findTapped(event, "button");
    const { now, last } = this;
    this.now = undefined;
    if (last && isSameTap(now, last, isUnanswered)) return null;
    this.last = now;
    return now.key;
  }
}

/** Whether a tap repeats the last one by accident.
 * @param {Press} now @param {Press} last @param {boolean} isUnanswered */
export function isSameTap(now, last, isUnanswered) {
  const pause = now.time - last.time;
  if (now.key === last.key) return pause < (isUnanswered && now.key?.dataset.piece ? ANSWER_TIMEOUT : DOUBLE_TAP_TIME);
  return pause < DOUBLE_TAP_TIME && Math.hypot(now.x - last.x, now.y - last.y) < NEAR;
}
