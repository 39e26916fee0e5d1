/* Draws pages of the scorepad into the current one, so that the local server keeps running.

   Pages come from the network or, without a network, from this phone. */

import { announce, find, findTapped, isPlainTap, listen } from "../browser.js";
import { cachePage, currentUrl, findCachedPage, isCorrection, isScorepadPage, matchAddress, pathOf, toUrl } from "./addresses.js";
import * as local from "./local_server.js";
import * as network from "./network.js";
import { unsentEntries } from "./store.js";

/** Returns a page of the local server, after redirects.
 * @param {URL} url @param {Fields} [fields] @returns {Promise<PadPage>} */
export async function fetchLocalPage(url, method = "GET", fields = {}) {
  const { status, location: to, text, held } = await local.requestPage(method, pathOf(url), fields);
  if (status === 301 || status === 302) return fetchLocalPage(new URL(to, url));
  const page = { url, text, held, isGood: status === 200 };
  if (page.isGood && method === "GET") cacheDrawnSheet(page).catch(() => {});
  return page;
}

const SHEET = /^\/m\/[^/]+\/$/;

/** Caches a sheet that this phone drew, within the page that the server sent, so that a reload without a network shows
 * it at once.
 * @param {PadPage} page */
async function cacheDrawnSheet({ url, text }) {
  const sent = url.search || !SHEET.test(url.pathname) ? undefined : await findCachedPage(url);
  if (!sent) return;
  const page = parsePage(sent.text);
  const drawn = parsePage(text);
  page.body.replaceWith(drawn.body);
  page.title = drawn.title;
  const styled = new Set(styleLinks(page).map((link) => link.getAttribute("href")));
  for (const link of styleLinks(drawn)) if (!styled.has(link.getAttribute("href"))) page.head.append(link);
  await cachePage({ url, text: `<!doctype html>${page.documentElement.outerHTML}` });
}

/** The path of the drawn page. */
let shownPath = pathOf(location);

/** @param {string} text */
const parsePage = (text) => new DOMParser().parseFromString(text, "text/html");

/** Replaces the current page. A page that this phone drew also has the version on the server that it is based on,
 * because the version in its forms counts entries that only this phone has.
 * @param {PadPage} drawn @param {{ addToHistory?: boolean, page?: Document }} [options] */
export function drawPage({ url, text, held }, { addToHistory = true, page = parsePage(text) } = {}) {
  const { dataset } = document.documentElement;
  if (held === undefined) delete dataset.snapshotVersion;
  else dataset.snapshotVersion = String(held);
  if (addToHistory && url.href !== location.href) history.pushState({}, "", url);
  shownPath = pathOf(url);
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  loadStyles(page);
  // Each page has the background of its game.
  document.body.dataset.game = page.body.dataset.game ?? "";
  document.body.replaceChildren(...page.body.childNodes);
  scrollTo(0, 0);
  window.htmx?.process(document.body);
  announce("tricky:drawn");
  // An open question is far above the open step.
  const question = /** @type {HTMLElement | null} */ (document.querySelector("[data-board-warning][aria-invalid]"));
  (question ?? document.getElementById("main"))?.focus({ preventScroll: !question });
  // A browser only does this for pages that it loads itself.
  const part = url.hash && document.getElementById(url.hash.slice(1));
  if (!part) return;
  part.closest("details")?.setAttribute("open", "");
  part.scrollIntoView();
}

/* Whether this phone knows more of a match than the server, and can draw its page. A correction waits for the local
   server, because the server's page would show the old hand. */
/** @param {URL} url */
async function isAheadOfServer(url) {
  const address = matchAddress(url);
  const entries = address ? await unsentEntries(address).catch(() => []) : [];
  if (!entries.length) return false;
  return local.isReady || (isCorrection(url) && local.startIfSafe().then(() => true, () => false));
}

/* Only the page that was requested last is drawn, even if an earlier one arrives later. */
let lastRequest = 0;
let lastCompleted = 0;

/** How a page is drawn: whether it gets an entry in the history, whether it is skipped while another page is loading,
 * and the part to scroll to.
 * @typedef {{ addToHistory?: boolean, onlyIfIdle?: boolean, hash?: string }} DrawOptions */

/** @param {() => Promise<PadPage>} fetchPage @param {DrawOptions} [options] */
async function fetchAndDraw(fetchPage, { addToHistory, onlyIfIdle = false, hash = "" } = {}) {
  if (onlyIfIdle && lastCompleted !== lastRequest) return false;
  const request = onlyIfIdle ? lastRequest : (lastRequest += 1);
  try {
    const drawn = await fetchPage();
    const page = parsePage(drawn.text);
    // Otherwise buttons would move under the finger.
    await loadStyles(page);
    if (request !== lastRequest) return false;
    lastCompleted = request;
    drawn.url.hash = hash;
    drawPage(drawn, { addToHistory, page });
    return drawn;
  } finally {
    if (request === lastRequest) lastCompleted = request;
  }
}

/** Opens a page of the network, or else of this phone; with `localOnly` only of this phone. Returns the page, or false
 * if it was not drawn.
 * @param {string | URL | Location} to @param {DrawOptions & { localOnly?: boolean }} [options] */
export const openPage = (to, { addToHistory, localOnly = false, onlyIfIdle } = {}) => {
  const url = toUrl(to);
  return fetchAndDraw(() => findPage(url, localOnly), { addToHistory, onlyIfIdle, hash: url.hash });
};

/** @param {URL} url @param {boolean} localOnly */
async function findPage(url, localOnly) {
  try {
    if (localOnly || network.isAway || (await isAheadOfServer(url))) throw new Error("the server does not know");
    return await network.fetchPage(url);
  } catch {
    if (local.isReady) return fetchLocalPage(url);
    const page = await findCachedPage(url);
    // Once the local server is ready, the page is drawn again. A phone that only watches does not need it.
    if (local.canStartByItself() || (!page?.isSeen && local.canStartFor(url))) local.startIfSafe().catch(() => {});
    if (!page) throw new Error("this page is not cached");
    return page;
  }
}

/** Posts a form to the network or, without a network, to the local server, and draws the answer. Not to the local
 * server without `allowLocal`, because a change would be lost. Returns the page, or false if it was not drawn.
 * @param {string | URL} to @param {Fields} fields */
export const postAndDraw = (to, fields, { allowLocal = true } = {}) => fetchAndDraw(() => postToEither(toUrl(to), fields, allowLocal));

/** @param {URL} url @param {Fields} fields @param {boolean} allowLocal */
export async function postToEither(url, fields, allowLocal) {
  try {
    if (allowLocal && (await isAheadOfServer(url))) throw new Error("the server does not know");
    return await network.postForm(url, fields);
  } catch (error) {
    // The error of a full server must be shown, because nobody else would see a change on this phone.
    if (!allowLocal || error instanceof network.ServerStateError) throw error;
    await local.startIfSafe();
    return fetchLocalPage(url, "POST", fields);
  }
}

/** @param {DrawOptions & { localOnly?: boolean }} [options] */
export const reloadPage = (options) => openPage(currentUrl(), { ...options, addToHistory: false });

/** Draws a page unless another one is loading.
 * @param {() => Promise<PadPage>} fetchPage */
export const drawIfIdle = (fetchPage) => fetchAndDraw(fetchPage, { addToHistory: false, onlyIfIdle: true });

/* Links and query forms of the scorepad draw the next page into this one. */

/** @param {URL} url */
const openOrLoad = (url) => openPage(url).catch(() => location.assign(url));

/** @param {MouseEvent} event */
function followLink(event) {
  // The whole row of a hand works like the link on its number.
  const row = findTapped(event, "tr[data-hand]");
  const link = /** @type {HTMLAnchorElement | null} */ (findTapped(event, "a[href]") ?? (row && find(row, "a[href]")));
  if (!link || !isPlainTap(event, link) || event.defaultPrevented) return;
  const url = toUrl(link.href);
  if (!isScorepadPage(url) || (url.pathname === location.pathname && url.hash)) return;
  event.preventDefault();
  openOrLoad(url);
}

/** @param {SubmitEvent} event */
function followQueryForm(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const url = toUrl(form.action);
  if (event.defaultPrevented || form.method !== "get" || !isScorepadPage(url)) return;
  event.preventDefault();
  url.search = String(new URLSearchParams(/** @type {any} */ (new FormData(form))));
  openOrLoad(url);
}

/** Starts navigation within the page; resolves once it is known whether there is a network. */
export function startNavigation() {
  listen("click", followLink);
  listen("submit", followQueryForm);
  addEventListener("popstate", () => shownPath !== pathOf(location) && isScorepadPage(currentUrl()) && reloadPage().catch(() => location.reload()));
  return network.watchNetwork();
}

/* The styles of a page are loaded before it is shown. */

const STYLE_TIMEOUT = 2000; // milliseconds after which a page is shown without them

/** Styles that are neither loaded nor failed yet. @type {Set<Promise<unknown>>} */
const loadingStyles = new Set();

/** @param {Document} page @returns {HTMLLinkElement[]} */
const styleLinks = (page) => [...page.head.querySelectorAll(/** @type {"link"} */ ("link[rel=stylesheet]"))];

/** @param {HTMLLinkElement} link */
function addStyle(link) {
  const settled = new Promise((resolve) => {
    for (const name of ["load", "error"]) link.addEventListener(name, resolve, { once: true });
  });
  // So that the next page tries again.
  link.addEventListener("error", () => link.remove());
  loadingStyles.add(settled);
  settled.then(() => loadingStyles.delete(settled));
  document.head.append(link);
}

/** Loads the missing styles of a page; resolves once they are loaded, or after a timeout.
 * @param {Document} page @returns {Promise<unknown>} */
function loadStyles(page) {
  const known = new Set(styleLinks(document).map((link) => link.getAttribute("href")));
  for (const link of styleLinks(page)) if (!known.has(link.getAttribute("href"))) addStyle(link);
  if (!loadingStyles.size) return Promise.resolve();
  return Promise.race([Promise.all(loadingStyles), new Promise((resolve) => setTimeout(resolve, STYLE_TIMEOUT))]);
}
