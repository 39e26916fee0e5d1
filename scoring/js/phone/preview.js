/* What a hand would do: from this phone, while it knows more than the server or the network is away; and
   what is unusual in it, asked about once, of the hand as it is and not as it was before the last tap. */

import { find, findInputs, findRequired } from "../dom.js";
import * as local from "./local_server.js";
import * as network from "./network.js";

const PREVIEW_TIMEOUT = 1500; // milliseconds after which a hand is saved without having been asked about

/** How often a form has changed, and after which of these changes its preview was asked for and came.
 * @typedef {{ changed: number, asked: number, shown: number }} Changes */
/** @type {WeakMap<Element, Changes>} */
const changes = new WeakMap();

/** @param {Event} event @param {(counted: Changes) => void} count */
function updateChanges({ target }, count) {
  const form = target instanceof Element && target.closest("form");
  if (!form) return;
  const counted = changes.get(form) ?? { changed: 0, asked: 0, shown: 0 };
  changes.set(form, counted);
  count(counted);
}

/** Whether the preview is of the form as it is.
 * @param {HTMLFormElement} form */
export function isCurrent(form) {
  const { changed, shown } = changes.get(form) ?? {};
  return changed === shown;
}

/** Whether the sums of a hand are to replace the one on the board: asked once, and said in the form. Who says
 * no reads there that nothing was saved.
 * @param {HTMLFormElement} form @returns {boolean} */
export function confirmInsteadOfBoard(form) {
  const [choice] = findInputs(form, "[data-on-board]");
  if (!choice) return true;
  choice.checked ||= confirm(choice.dataset.onBoard);
  const line = findRequired(form, "[data-unsaved]");
  line.textContent = choice.checked ? "" : (line.dataset.unsaved ?? "");
  if (!choice.checked) choice.focus();
  return choice.checked;
}

/** Whether what is unusual is so: asked once for each thing that is, once the preview is of the hand as it is.
 * @param {HTMLFormElement} form */
export async function confirmUnusual(form) {
  const isComing = find(form, "#preview") && (!network.isAway || local.isReady);
  if (isComing && !isCurrent(form)) {
    await new Promise((resolve) => {
      setTimeout(resolve, PREVIEW_TIMEOUT);
      form.addEventListener("htmx:afterSwap", () => isCurrent(form) && resolve(undefined));
    });
  }
  const question = isCurrent(form) && find(form, "[data-question]")?.textContent.trim();
  if (!question || form.dataset.sure === question) return true;
  if (!confirm(question)) return false;
  form.dataset.sure = question;
  return true;
}

/** @param {CustomEvent<HtmxDetail>} event */
function previewLocally(event) {
  const { elt, requestConfig } = event.detail;
  const knowsMore = local.isReady && document.documentElement.dataset.waiting;
  if (elt.id !== "preview" || !(network.isAway || knowsMore)) return;
  event.preventDefault();
  if (!local.isReady) return;
  const fields = Object.fromEntries(requestConfig.formData);
  const show = (/** @type {LocalAnswer} */ { text }) => {
    elt.innerHTML = text;
    elt.dispatchEvent(new CustomEvent("htmx:afterSwap", { bubbles: true }));
  };
  local.requestPage("POST", requestConfig.path, fields, "true").then(show).catch(console.warn);
}

/* The preview may be of the hand as it was before the network went; of tricks, see `recording.js`. */
function requestAgain() {
  const form = find(document, "#preview[data-later]")?.closest("form");
  if (form && changes.has(form)) find(form, "input[data-path]")?.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Answers previews here from now on, where the server cannot, and follows of which hand they are. */
export function startPreviews() {
  document.addEventListener("input", (event) => updateChanges(event, (counted) => (counted.changed += 1)));
  document.addEventListener("htmx:beforeRequest", (event) => {
    updateChanges(event, (counted) => (counted.asked = counted.changed));
    previewLocally(event);
  });
  for (const able of ["tricky:ready", "tricky:away", "tricky:back"]) document.addEventListener(able, requestAgain);
  // While capturing, because listeners at the form read it.
  document.addEventListener("htmx:afterSwap", (event) => updateChanges(event, (counted) => (counted.shown = counted.asked)), true);
}
