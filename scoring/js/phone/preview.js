/* Previews of a hand: from this phone if it knows more than the server, or without a network. Also asks people to
   confirm an unusual hand, based on a preview of the current values. */

import { find, findInputs, findRequired, listen } from "../browser.js";
import * as local from "./local_server.js";
import * as network from "./network.js";

const PREVIEW_TIMEOUT = 1500; // milliseconds after which a hand is saved without a preview

/** The number of changes of a form, and at which number the preview was last requested and received.
 * @typedef {{ changed: number, requested: number, received: number }} Changes */
/** @type {WeakMap<Element, Changes>} */
const changes = new WeakMap();

/** @param {Event} event @param {(counted: Changes) => void} count */
function updateChanges({ target }, count) {
  const form = target instanceof Element && target.closest("form");
  if (!form) return;
  const counted = changes.get(form) ?? { changed: 0, requested: 0, received: 0 };
  changes.set(form, counted);
  count(counted);
}

/** Whether the preview is of the current values of the form.
 * @param {HTMLFormElement} form */
export function isCurrent(form) {
  const { changed, received } = changes.get(form) ?? {};
  return changed === received;
}

/** Asks once whether the sums of a hand may replace the hand on the board. If not, the form says that nothing was saved.
 * @param {HTMLFormElement} form @returns {boolean} */
export function confirmInsteadOfBoard(form) {
  const [choice] = findInputs(form, "[data-board-warning]");
  if (!choice) return true;
  choice.checked ||= confirm(choice.dataset.boardWarning);
  const line = findRequired(form, "[data-unsaved-text]");
  line.textContent = choice.checked ? "" : (line.dataset.unsavedText ?? "");
  if (!choice.checked) choice.focus();
  return choice.checked;
}

/** Asks people to confirm each unusual thing in a hand once. Waits for a current preview first.
 * @param {HTMLFormElement} form */
export async function confirmUnusual(form) {
  const isExpected = find(form, "#preview") && (!network.isAway || local.isReady);
  if (isExpected && !isCurrent(form)) {
    await new Promise((resolve) => {
      setTimeout(resolve, PREVIEW_TIMEOUT);
      form.addEventListener("htmx:afterSwap", () => isCurrent(form) && resolve(undefined));
    });
  }
  const question = isCurrent(form) && find(form, "[data-question]")?.textContent.trim();
  if (!question || form.dataset.confirmedQuestion === question) return true;
  if (!confirm(question)) return false;
  form.dataset.confirmedQuestion = question;
  return true;
}

/** @param {CustomEvent<HtmxDetail>} event */
function previewLocally(event) {
  const { elt, requestConfig } = event.detail;
  const knowsMore = local.isReady && document.documentElement.dataset.queuedEntries;
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

/* The preview may be older than the loss of the network. For tricks see `pieces.js`. */
function requestAgain() {
  const form = find(document, "#preview[data-unscored-text]")?.closest("form");
  if (form && changes.has(form)) find(form, "input[data-path]")?.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Answers preview requests on this phone if the server cannot, and counts changes and previews. */
export function startPreviews() {
  listen("input", (event) => updateChanges(event, (counted) => (counted.changed += 1)));
  listen("htmx:beforeRequest", (event) => {
    updateChanges(event, (counted) => (counted.requested = counted.changed));
    previewLocally(event);
  });
  listen("tricky:ready tricky:away tricky:back", requestAgain);
  // While capturing, because listeners at the form read it.
  listen("htmx:afterSwap", (event) => updateChanges(event, (counted) => (counted.received = counted.requested)), { capture: true });
}
