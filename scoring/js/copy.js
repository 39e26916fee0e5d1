/* Copies text of the page, or the address of a link, to the clipboard. */

import { findAll, findRequired } from "./browser.js";

/** @param {HTMLElement} source */
function readText(source) {
  if (source instanceof HTMLTextAreaElement) return source.value;
  return source instanceof HTMLAnchorElement ? source.href : (source.textContent ?? "");
}

/** @param {HTMLElement} source */
function selectText(source) {
  if (source instanceof HTMLTextAreaElement) source.select();
  else if (!(source instanceof HTMLAnchorElement)) getSelection()?.selectAllChildren(source);
}

/** @param {HTMLElement} button */
async function copyText(button) {
  const source = findRequired(document, `#${button.dataset.copySource}`);
  await navigator.clipboard.writeText(readText(source));
  selectText(source);
  const status = button.nextElementSibling;
  if (status) status.textContent = button.dataset.copiedText ?? "";
}

for (const button of findAll(document, "[data-copy-source]")) {
  // Browsers only have a clipboard on https.
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", () => copyText(button).catch(() => {}));
}
