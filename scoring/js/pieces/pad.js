/* The keys for pieces: which are open, and which are spent. */

import { find, findAll, findInputs, findRequired } from "../dom.js";
import { isLastPiece, splitWords } from "./words.js";

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
