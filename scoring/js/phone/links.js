/* Links and forms that lead within the scorepad draw the next page into this one. */

import { find, tapped } from "../dom.js";
import { here, isPad, toUrl } from "./addresses.js";
import { renewTokens, watchNetwork } from "./network.js";
import { go, goAnew, hasMoved } from "./pages.js";

/* Whoever wants another window, or a file, gets it from the browser. */
/** @param {MouseEvent} event @param {HTMLAnchorElement} link */
const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }, link) =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey || link.download || link.target);

/** @param {URL} url */
const goOrLoad = (url) => go(url).catch(() => location.assign(url));

/* The link that was tapped. The scores of a hand lead where its number does: all of the row looks so. */
/** @param {MouseEvent} event */
function linkOf(event) {
  const row = tapped(event, "tr[data-hand]");
  return /** @type {HTMLAnchorElement | null} */ (tapped(event, "a[href]") ?? (row && find(row, "a[href]")));
}

/** @param {MouseEvent} event */
function followLink(event) {
  const link = linkOf(event);
  if (!link || !isPlain(event, link) || event.defaultPrevented) return;
  const url = toUrl(link.href);
  if (!isPad(url) || (url.pathname === location.pathname && url.hash)) return;
  event.preventDefault();
  goOrLoad(url);
}

/* A form that only asks leads to the address that its fields make. */
/** @param {SubmitEvent} event */
function followForm(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const url = toUrl(form.action);
  if (event.defaultPrevented || form.method !== "get" || !isPad(url)) return;
  event.preventDefault();
  url.search = String(new URLSearchParams(/** @type {any} */ (new FormData(form))));
  goOrLoad(url);
}

/** Draws pages here from now on; resolves once it is known whether there is a network. */
export function startPages() {
  renewTokens();
  document.addEventListener("click", followLink);
  document.addEventListener("submit", followForm);
  addEventListener("popstate", () => hasMoved() && isPad(here()) && goAnew().catch(() => location.reload()));
  return watchNetwork();
}
