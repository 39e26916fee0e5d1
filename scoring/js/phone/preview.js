/* What a hand would do: from this phone, while it knows more than the server or the network is away; and
   what is unusual in it, asked about once, of the hand as it is and not as it was before the last tap. */

import { find, inputs } from "../dom.js";
import * as local from "./local.js";
import * as network from "./network.js";

const PATIENCE = 1500; // milliseconds after which a hand is saved without having been asked about

/** How often a form has changed, and after which of these changes its preview was asked for and came.
 * @typedef {{ changed: number, asked: number, shown: number }} Changes */
/** @type {WeakMap<Element, Changes>} */
const changes = new WeakMap();

/** @param {Event} event @param {(counted: Changes) => void} count */
function countAt({ target }, count) {
  const form = target instanceof Element && target.closest("form");
  if (!form) return;
  const counted = changes.get(form) ?? { changed: 0, asked: 0, shown: 0 };
  changes.set(form, counted);
  count(counted);
}

/** @param {HTMLFormElement} form */
function isOfNow(form) {
  const { changed, shown } = changes.get(form) ?? {};
  return changed === shown;
}

/** Whether the sums of a hand are to replace the one on the board: asked once, and said in the form.
 * @param {HTMLFormElement} form @returns {boolean} */
export function isInsteadOfBoard(form) {
  const [choice] = inputs(form, "[data-on-board]");
  return !choice || (choice.checked ||= confirm(choice.dataset.onBoard));
}

/** Whether what is unusual is so: asked once for each thing that is, once the preview is of the hand as it is.
 * @param {HTMLFormElement} form */
export async function isSure(form) {
  const isComing = find(form, "#preview") && (!network.away || local.ready);
  if (isComing && !isOfNow(form)) {
    await new Promise((resolve) => {
      setTimeout(resolve, PATIENCE);
      form.addEventListener("htmx:afterSwap", () => isOfNow(form) && resolve(undefined));
    });
  }
  const question = isOfNow(form) && find(form, "[data-question]")?.textContent.trim();
  if (!question || form.dataset.sure === question) return true;
  if (!confirm(question)) return false;
  form.dataset.sure = question;
  return true;
}

/** @param {CustomEvent<HtmxDetail>} event */
function previewHere(event) {
  const { elt, requestConfig } = event.detail;
  const knowsMore = local.ready && document.documentElement.dataset.waiting;
  if (elt.id !== "preview" || !(network.away || knowsMore)) return;
  event.preventDefault();
  if (!local.ready) return;
  const fields = Object.fromEntries(requestConfig.formData);
  const show = (/** @type {LocalAnswer} */ { text }) => {
    elt.innerHTML = text;
    elt.dispatchEvent(new CustomEvent("htmx:afterSwap", { bubbles: true }));
  };
  local.answer("POST", requestConfig.path, fields, "true").then(show).catch(console.warn);
}

/* What stands there is of the hand as it was before nobody could say; of tricks `unheard.js` sees to that. */
function askAnew() {
  const form = find(document, "#preview[data-later]")?.closest("form");
  if (form && changes.has(form)) form.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Answers previews here from now on, where the server cannot, and follows of which hand they are. */
export function startPreviews() {
  document.addEventListener("input", (event) => countAt(event, (counted) => (counted.changed += 1)));
  document.addEventListener("htmx:beforeRequest", (event) => {
    countAt(event, (counted) => (counted.asked = counted.changed));
    previewHere(event);
  });
  for (const able of ["tricky:ready", "tricky:away", "tricky:back"]) document.addEventListener(able, askAnew);
  // Heard on its way down: whoever waits at the form reads it.
  document.addEventListener("htmx:afterSwap", (event) => countAt(event, (counted) => (counted.shown = counted.asked)), true);
}
