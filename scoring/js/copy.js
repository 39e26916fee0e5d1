/* Copies text of the page, or the address of a link, to the clipboard. */

import { findAll, findRequired, findTapped, listen, onEachPage } from "./browser.js";

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

listen("click", (event) => {
  const button = findTapped(event, "[data-copy-source]");
  if (button) copyText(button).catch(() => {});
});
onEachPage("tricky:drawn htmx:afterSwap", () => {
  // Browsers only have a clipboard on https.
  for (const button of findAll(document, "[data-copy-source]")) button.hidden = !navigator.clipboard;
});
