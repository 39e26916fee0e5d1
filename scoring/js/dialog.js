/* Shows a page with a question, such as a confirmation, as a dialog over the page that leads to it. Without scripts or a
   network, and in another tab, it is a page of its own.

   Attributes: data-dialog (a link to a question, or a form or its button that may lead to one), data-close (a link of a
   question that leads back). */

import { createElement, find, findAll, findInputs, findTapped, isDrawn, isPlainTap, listen } from "./browser.js";
import { isScorepadPage, pathOf, toUrl } from "./phone/addresses.js";

const CONTENT = ".bar h1, #main > *";

/** @returns {HTMLDialogElement | null} */
const findDialog = () => document.querySelector("#dialog");

/** The link or button that led to the dialog. @type {HTMLElement | null} */
let opener = null;

/** Returns the dialog of the page, which is still empty and closed at first. */
function findOrCreateDialog() {
  const created = findDialog();
  if (created) return created;
  const dialog = createElement("dialog", { id: "dialog" });
  dialog.setAttribute("aria-labelledby", "dialog-title");
  // A tap next to it.
  dialog.addEventListener("click", ({ target, clientX, clientY }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    if (target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom)) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    // The menu of a link is closed by now.
    if (opener) (isDrawn(opener) ? opener : opener.closest("details")?.querySelector("summary"))?.focus();
    if (history.state?.isDialog) history.back();
  });
  document.body.append(dialog);
  return dialog;
}

/** Opens the dialog with the content that it has now, the answer of this address.
 * @param {HTMLDialogElement} dialog @param {string} url */
function open(dialog, url) {
  for (const form of findAll(dialog, "form:not([action])")) form.setAttribute("action", url);
  const title = find(dialog, "h1, h2");
  if (title) title.id = "dialog-title";
  if (dialog.open) dialog.scrollTo(0, 0);
  else {
    // So that Back closes it.
    history.pushState({ isDialog: true }, "");
    dialog.showModal();
  }
  const [field] = findInputs(dialog, "[aria-invalid], input:not([type=hidden]), textarea");
  (field ?? find(dialog, "[data-close], button"))?.focus();
}

/** Shows a page in the dialog.
 * @param {PadPage} page */
export function showPage({ url, text }) {
  const dialog = findOrCreateDialog();
  const page = new DOMParser().parseFromString(text, "text/html");
  dialog.replaceChildren(...page.querySelectorAll(CONTENT));
  open(dialog, pathOf(url));
}

/** Opens another page. That of an open dialog takes its place in the history.
 * @param {string} to */
function leave(to) {
  if (!findDialog()?.open) return location.assign(to);
  location.replace(to);
  if (toUrl(to).hash && pathOf(toUrl(to)) === pathOf(location)) location.reload();
}

/** Opens the requested page without the dialog. */
let loadPage = () => {};

/** Requests a page and shows it in the dialog, or leaves for the page that it redirects to.
 * @param {"get" | "post"} method @param {string} url @param {() => void} loadInstead @param {FormData} [values] */
function request(method, url, loadInstead, values) {
  const dialog = findOrCreateDialog();
  loadPage = loadInstead;
  const options = { source: dialog, target: dialog, swap: "innerHTML ignoreTitle:true", select: CONTENT, values };
  // A lost network is an event of htmx, too.
  return window.htmx.ajax(method, url, options).catch(() => {});
}

/** Whether an answer can be shown in the dialog: a question, or why an action failed.
 * @param {XMLHttpRequest} answer */
const fitsDialog = ({ status, responseText }) => status >= 400 || responseText.includes("data-close");

/** @param {MouseEvent} event */
function followLink(event) {
  const link = /** @type {HTMLAnchorElement | null} */ (findTapped(event, "a[data-dialog], dialog a"));
  if (!link || !isPlainTap(event, link)) return;
  event.preventDefault();
  if ("close" in link.dataset) findDialog()?.close();
  else if (link.closest("dialog")) leave(link.href);
  else {
    opener = link;
    request("get", link.href, () => location.assign(link.href));
  }
}

/** @param {SubmitEvent} event */
function submitForm(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { submitter } = event;
  if (![form, submitter].some((element) => element?.matches("[data-dialog], dialog form"))) return;
  if (!form.closest("dialog")) opener = submitter;
  // The scorepad saves its entries on this phone, and shows the question itself.
  if (isScorepadPage(toUrl(form.action))) return;
  event.preventDefault();
  if (form.hasAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  const values = new FormData(form);
  const button = /** @type {HTMLButtonElement | null} */ (submitter);
  if (button?.name) values.append(button.name, button.value);
  const loadInstead = () => {
    if (button?.name) form.append(createElement("input", { type: "hidden", name: button.name, value: button.value }));
    form.submit();
  };
  request("post", form.action, loadInstead, values).finally(() => form.removeAttribute("aria-busy"));
}

export function startDialogs() {
  // Before the scorepad follows links and saves forms.
  listen("click", followLink, { capture: true });
  listen("submit", submitForm, { capture: true });
  listen("htmx:beforeOnLoad", (event) => {
    const to = event.detail.xhr.getResponseHeader("HX-Redirect");
    if (event.detail.target !== findDialog() || !to) return;
    event.preventDefault();
    leave(to);
  });
  listen("htmx:beforeSwap", ({ detail }) => {
    const dialog = findDialog();
    if (dialog && detail.target === dialog) {
      detail.shouldSwap = fitsDialog(detail.xhr);
      if (!detail.shouldSwap) loadPage();
    }
    // So that the focus can return to the same button.
    else if (dialog?.open) detail.shouldSwap = false;
  });
  listen("htmx:afterSwap", ({ detail }) => {
    const dialog = findDialog();
    if (dialog && detail.target === dialog) open(dialog, detail.requestConfig.path);
  });
  listen("htmx:sendError htmx:timeout", ({ detail }) => {
    if (detail.target !== findDialog()) return;
    // The server may have received a form, so it is not sent again: the page shows what happened.
    if (detail.requestConfig.verb === "post") location.reload();
    else loadPage();
  });
  addEventListener("popstate", () => findDialog()?.close());
  addEventListener("pagehide", () => findDialog()?.remove());
}
