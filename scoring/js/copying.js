/* Copies what is written on a page, or where a link of it leads, to where somebody needs it. */

import { all, need } from "./dom.js";

/** @param {HTMLElement} written */
function textOf(written) {
  if (written instanceof HTMLTextAreaElement) return written.value;
  return written instanceof HTMLAnchorElement ? written.href : (written.textContent ?? "");
}

/** @param {HTMLElement} written */
function mark(written) {
  if (written instanceof HTMLTextAreaElement) written.select();
  else if (!(written instanceof HTMLAnchorElement)) getSelection()?.selectAllChildren(written);
}

/** @param {HTMLElement} button */
async function copy(button) {
  const written = need(document, `#${button.dataset.copies}`);
  await navigator.clipboard.writeText(textOf(written));
  mark(written);
  const says = button.nextElementSibling;
  if (says) says.textContent = button.dataset.copied ?? "";
}

for (const button of all(document, "[data-copies]")) {
  // Browsers have it on https alone; elsewhere the text is marked and copied by hand.
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", () => copy(button).catch(() => {}));
}
