/* The keys of pieces: which are open, and which cannot be tapped any more. */

import { find, findAll, findInputs, findRequired } from "../dom.js";
import { isLastOf, wordsOf } from "./words.js";

/** @param {HTMLElement} keys @returns {HTMLButtonElement[]} */
const buttons = (keys, selector = "button") => [...keys.querySelectorAll(/** @type {"button"} */ (selector))];

/** Whether most players follow what was led: then every other suit stays a tap away.
 * @param {PiecePad} pad */
export const follows = ({ keys }) => "follows" in keys.dataset;

/** Returns which second keys are open.
 * @param {PiecePad} pad */
export const openKeys = ({ keys }) => find(keys, "[data-second]:not([hidden])")?.dataset.second;

/** Shows the first keys, the second ones that a first one opens, or the last ones.
 * @param {PiecePad} pad @param {string} [opened] */
export function showKeys(pad, opened) {
  const { form, keys, target } = pad;
  const first = findRequired(keys, "[data-first]");
  const last = find(keys, "[data-last]");
  const targets = findInputs(form, "[data-pieces]");
  for (const input of targets) input.toggleAttribute("data-current", targets.length > 1 && input === target);
  const isLast = last !== null && isLastOf(target.value, keys.dataset.each);
  for (const panel of findAll(keys, "[data-second]")) panel.hidden = panel.dataset.second !== opened;
  first.hidden = (Boolean(opened) && !follows(pad)) || isLast;
  findRequired(keys, "[data-back]").hidden = !opened || follows(pad);
  for (const key of buttons(first)) key.setAttribute("aria-expanded", String(key.dataset.opens === opened));
  if (last) last.hidden = !isLast;
  const shown = findAll(keys, ".grid").findLast((panel) => !panel.hidden);
  if (shown && keys.contains(document.activeElement)) find(shown, "button:not(:disabled)")?.focus({ preventScroll: true });
}

/** Whoever is next has other pieces.
 * @param {PiecePad} pad */
export function enableAll({ keys }) {
  for (const key of buttons(keys, ":disabled")) key.disabled = false;
}

/** Takes away the keys of the pieces that are spent, and those that open no other.
 * @param {PiecePad} pad @param {string | undefined} spent */
export function disableSpent({ keys }, spent) {
  const gone = new Set(wordsOf(spent));
  for (const key of buttons(keys, "[data-piece]")) key.disabled = gone.has(key.dataset.piece ?? "");
  for (const key of buttons(keys, "[data-opens]")) {
    key.disabled = !find(keys, `[data-second="${CSS.escape(key.dataset.opens ?? "")}"] :enabled`);
  }
}

/** Rings the keys of what is trump: those of single pieces, or the one that opens nothing else.
 * @param {PiecePad} pad @param {string | undefined} trumps */
export function markTrumps({ keys }, trumps) {
  const isTrump = new Set(wordsOf(trumps));
  const whole = new Set();
  for (const panel of findAll(keys, "[data-second]")) {
    const seconds = buttons(panel, "[data-piece]");
    const marked = seconds.filter((key) => isTrump.has(key.dataset.piece ?? ""));
    const isWhole = marked.length === seconds.length;
    if (isWhole) whole.add(panel.dataset.second);
    for (const key of seconds) key.classList.toggle("trump", !isWhole && marked.includes(key));
  }
  for (const key of buttons(keys, "[data-opens]")) key.classList.toggle("trump", whole.has(key.dataset.opens));
}

/** @param {PiecePad} pad */
export function hideAll({ keys }) {
  for (const panel of findAll(keys, ".grid")) panel.hidden = true;
}
