/* What was tapped since the last trick outlives a reload on this phone. */

import { enter } from "../dom.js";
import { goesOn } from "./words.js";

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
  if (draft && goesOn(draft, recorded.value)) enter(recorded, draft);
}
