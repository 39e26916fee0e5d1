/* What a hand would do, from this phone: while it knows more than the server, or the network is away. */

import * as local from "./local.js";
import { away } from "./network.js";

/** @param {CustomEvent<HtmxDetail>} event */
function previewHere(event) {
  const { elt, requestConfig } = event.detail;
  const knowsMore = local.ready && document.documentElement.dataset.waiting;
  if (elt.id !== "preview" || !(away || knowsMore)) return;
  event.preventDefault();
  if (!local.ready) return;
  const form = /** @type {HTMLFormElement} */ (elt.closest("form"));
  const fields = Object.fromEntries(requestConfig.formData ?? new FormData(form));
  const show = (/** @type {LocalAnswer} */ { text }) => {
    elt.innerHTML = text;
    elt.dispatchEvent(new CustomEvent("htmx:afterSwap", { bubbles: true }));
  };
  local.answer("POST", requestConfig.path, fields, "true").then(show).catch((error) => console.warn("No preview:", error));
}

/** Answers previews here from now on, where the server cannot. */
export const startPreviews = () => document.addEventListener("htmx:beforeRequest", previewHere);
