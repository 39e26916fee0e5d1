/* What is unusual in a hand is asked about once, and of the hand as it is: not of what a preview
   said before the last tap. */

import { find } from "../dom.js";
import * as local from "./local.js";
import { away } from "./network.js";

const PATIENCE = 1500; // milliseconds after which a hand is saved without having been asked about

/** How often a form has changed, and after which of these changes its preview was asked for and came.
 * @typedef {{ changed: number, asked: number, shown: number }} Changes */

/** @type {WeakMap<HTMLFormElement, Changes>} */
const changes = new WeakMap();

/** @param {HTMLFormElement} form @returns {Changes} */
function changesOf(form) {
  const counted = changes.get(form) ?? { changed: 0, asked: 0, shown: 0 };
  changes.set(form, counted);
  return counted;
}

/** @param {Event} event @param {(counted: Changes) => void} count */
function countAt({ target }, count) {
  const form = target instanceof Element && target.closest("form");
  if (form) count(changesOf(form));
}

/** Resolves once the preview is of the form as it is, or will not be in time.
 * @param {HTMLFormElement} form @returns {Promise<boolean>} whether it is */
async function isPreviewed(form) {
  const isShown = () => changesOf(form).shown === changesOf(form).changed;
  const isComing = find(form, "#preview") && (!away || local.ready);
  if (isShown() || !isComing) return isShown();
  await new Promise((resolve) => {
    setTimeout(resolve, PATIENCE);
    form.addEventListener("htmx:afterSwap", () => isShown() && resolve(undefined));
  });
  return isShown();
}

/** Whether what is unusual is so: asked once for each thing that is.
 * @param {HTMLFormElement} form */
export async function isSure(form) {
  if (!(await isPreviewed(form))) return true;
  const question = find(form, "[data-question]")?.textContent.trim();
  if (!question || form.dataset.sure === question) return true;
  if (!confirm(question)) return false;
  form.dataset.sure = question;
  return true;
}

/** Follows which hand a preview is of. */
export function startQuestions() {
  document.addEventListener("input", (event) => countAt(event, (counted) => (counted.changed += 1)));
  document.addEventListener("htmx:beforeRequest", (event) => countAt(event, (counted) => (counted.asked = counted.changed)));
  // Heard on its way down: whoever waits at the form reads it.
  document.addEventListener("htmx:afterSwap", (event) => countAt(event, (counted) => (counted.shown = counted.asked)), true);
}
