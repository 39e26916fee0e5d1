/* Pages of the scorepad without leaving this one, so that the server in it lives on.

   A page comes from the network or, where that is away, from this phone. */

import { find, findTapped } from "../dom.js";
import { currentUrl, isCorrection, isScorepadPage, matchAddress, pathOf, toUrl } from "./addresses.js";
import * as local from "./local_server.js";
import * as network from "./network.js";
import { cachePage, findCachedPage } from "./page_cache.js";
import { canStartByItself, canStartFor, startIfSafe } from "./readiness.js";
import { unsentEntries } from "./store.js";

/** Returns a page of this phone, redirections followed.
 * @param {URL} url @param {Fields} [fields] @returns {Promise<PadPage>} */
export async function fetchLocalPage(url, method = "GET", fields = {}) {
  const { status, location: to, text, held } = await local.requestPage(method, pathOf(url), fields);
  if (status === 301 || status === 302) return fetchLocalPage(new URL(to, url));
  const page = { url, text, held, isGood: status === 200 };
  if (page.isGood && method === "GET") cacheDrawnSheet(page).catch(() => {});
  return page;
}

const SHEET = /^\/m\/[^/]+\/$/;

/** Caches a sheet as this phone drew it, in the page that the server sent, so that a reload without a
 * network shows it at once.
 * @param {PadPage} page */
async function cacheDrawnSheet({ url, text }) {
  if (!window.caches || url.search || !SHEET.test(url.pathname)) return;
  const sent = (await caches.match(url.pathname)) ?? (await caches.match("/pad/", { ignoreVary: true }));
  if (!sent) return;
  const page = parsePage(await sent.text());
  const drawn = parsePage(text);
  page.body.replaceWith(drawn.body);
  page.title = drawn.title;
  const styled = new Set(styleLinks(page).map((link) => link.getAttribute("href")));
  for (const link of styleLinks(drawn)) if (!styled.has(link.getAttribute("href"))) page.head.append(link);
  await cachePage({ url, text: `<!doctype html>${page.documentElement.outerHTML}` });
}

/** Where the page that is shown came from. */
let shownPath = pathOf(location);

/** Whether this page is not the one that is shown. */
const hasAddressChanged = () => shownPath !== pathOf(location);

/** @param {string} text */
const parsePage = (text) => new DOMParser().parseFromString(text, "text/html");

/** Replaces this page. One that this phone drew has the version of the server's that it is based on, because
 * the version in its forms counts entries that only this phone has.
 * @param {PadPage} drawn @param {{ remember?: boolean, page?: Document }} [options] */
export function drawPage({ url, text, held }, { remember = true, page = parsePage(text) } = {}) {
  const { dataset } = document.documentElement;
  if (held === undefined) delete dataset.held;
  else dataset.held = String(held);
  if (remember && url.href !== location.href) history.pushState({}, "", url);
  shownPath = pathOf(url);
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  loadStyles(page);
  // Each page has the background of its game.
  document.body.dataset.game = page.body.dataset.game ?? "";
  document.body.replaceChildren(...page.body.childNodes);
  scrollTo(0, 0);
  window.htmx?.process(document.body);
  document.dispatchEvent(new CustomEvent("tricky:drawn"));
  // A question without an answer stands far above the step that is open.
  const asked = /** @type {HTMLElement | null} */ (document.querySelector("[data-on-board][aria-invalid]"));
  (asked ?? document.getElementById("main"))?.focus({ preventScroll: !asked });
  // A browser goes by itself to the part that a link names, but not on a page that was drawn here.
  if (url.hash) document.getElementById(url.hash.slice(1))?.scrollIntoView();
}

/* Whether this phone knows more of a page's match than the server, and can draw it. A correction is worth waiting
   for the local server: the page of the server shows the hand before it. */
/** @param {URL} url */
async function isAheadOfServer(url) {
  const address = matchAddress(url);
  const waits = address ? await unsentEntries(address).catch(() => []) : [];
  if (!waits.length) return false;
  return local.isReady || (isCorrection(url) && startIfSafe().then(() => true, () => false));
}

/* Only the page that was asked for last is drawn, however late another arrives. One that
   `yields` was asked for by nobody: it is not drawn while another is under way. */
let lastAsked = 0;
let lastDrawn = 0;

/** How a page is drawn: whether it is an address of its own to go back to, and whether it yields.
 * `hash` names the part that is meant, of which no server is told.
 * @typedef {{ remember?: boolean, yields?: boolean, hash?: string }} Manner */

/** @param {() => Promise<PadPage>} fetchPage @param {Manner} [manner] */
async function fetchAndDraw(fetchPage, { remember, yields = false, hash = "" } = {}) {
  if (yields && lastDrawn !== lastAsked) return false;
  const mine = yields ? lastAsked : (lastAsked += 1);
  try {
    const drawn = await fetchPage();
    const page = parsePage(drawn.text);
    // Whatever is to be tapped would move away under the finger.
    await loadStyles(page);
    if (mine !== lastAsked) return false;
    lastDrawn = mine;
    drawn.url.hash = hash;
    drawPage(drawn, { remember, page });
    return drawn;
  } finally {
    if (mine === lastAsked) lastDrawn = mine;
  }
}

/** Goes to a page: the network's, or else this phone's. `alone` asks only the phone.
 * Returns the page where it was drawn.
 * @param {string | URL | Location} to @param {Manner & { alone?: boolean }} [manner] */
export const openPage = (to, { remember, alone = false, yields } = {}) => {
  const url = toUrl(to);
  return fetchAndDraw(() => findPage(url, alone), { remember, yields, hash: url.hash });
};

/** @param {URL} url @param {boolean} alone */
async function findPage(url, alone) {
  try {
    if (alone || network.isAway || (await isAheadOfServer(url))) throw new Error("the server does not know");
    return await network.fetchPage(url);
  } catch {
    if (local.isReady) return fetchLocalPage(url);
    const page = await findCachedPage(url);
    // Once the local server is ready, the page is drawn again; a phone that only follows needs none.
    if (canStartByItself() || (!page?.isSeen && canStartFor(url))) startIfSafe().catch(() => {});
    if (!page) throw new Error("nothing is kept of this page");
    return page;
  }
}

/** Sends a form to the network or, where that is away and nothing has to be sent later, to
 * this phone; draws the answer, and returns it where it did. What is changed `here` alone
 * would be lost.
 * @param {string | URL} to @param {Fields} fields */
export const postAndDraw = (to, fields, { here: isHere = true } = {}) => fetchAndDraw(() => postToEither(toUrl(to), fields, isHere));

/** @param {URL} url @param {Fields} fields @param {boolean} isHere */
async function postToEither(url, fields, isHere) {
  try {
    if (isHere && (await isAheadOfServer(url))) throw new Error("the server does not know");
    return await network.postForm(url, fields);
  } catch (error) {
    // A full server says so: nobody else would see what this phone alone makes of it.
    if (!isHere || error instanceof network.ServerStateError) throw error;
    await startIfSafe();
    return fetchLocalPage(url, "POST", fields);
  }
}

/** Draws the page at this address again. With `yields`, unless another is being loaded.
 * @param {Manner & { alone?: boolean }} [manner] */
export const reloadPage = (manner) => openPage(currentUrl(), { ...manner, remember: false });

/** Draws a page, unless another is being loaded.
 * @param {() => Promise<PadPage>} fetchPage */
export const drawIfIdle = (fetchPage) => fetchAndDraw(fetchPage, { remember: false, yields: true });

/* Links and query forms within the scorepad draw the next page into this one. */

/* Taps for another window or a download are left to the browser. */
/** @param {MouseEvent} event @param {HTMLAnchorElement} link */
const isPlainTap = ({ button, metaKey, ctrlKey, shiftKey, altKey }, link) =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey || link.download || link.target);

/** @param {URL} url */
const openOrLoad = (url) => openPage(url).catch(() => location.assign(url));

/* The link that was tapped. The scores of a hand lead where its number does: all of the row looks so. */
/** @param {MouseEvent} event */
function findLink(event) {
  const row = findTapped(event, "tr[data-hand]");
  return /** @type {HTMLAnchorElement | null} */ (findTapped(event, "a[href]") ?? (row && find(row, "a[href]")));
}

/** @param {MouseEvent} event */
function followLink(event) {
  const link = findLink(event);
  if (!link || !isPlainTap(event, link) || event.defaultPrevented) return;
  const url = toUrl(link.href);
  if (!isScorepadPage(url) || (url.pathname === location.pathname && url.hash)) return;
  event.preventDefault();
  openOrLoad(url);
}

/* A form with GET leads to the address that its fields make. */
/** @param {SubmitEvent} event */
function followQueryForm(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const url = toUrl(form.action);
  if (event.defaultPrevented || form.method !== "get" || !isScorepadPage(url)) return;
  event.preventDefault();
  url.search = String(new URLSearchParams(/** @type {any} */ (new FormData(form))));
  openOrLoad(url);
}

/** Draws pages here from now on; resolves once it is known whether there is a network. */
export function startNavigation() {
  network.renewTokens();
  document.addEventListener("click", followLink);
  document.addEventListener("submit", followQueryForm);
  addEventListener("popstate", () => hasAddressChanged() && isScorepadPage(currentUrl()) && reloadPage().catch(() => location.reload()));
  return network.watchNetwork();
}

/* Styles of a page are loaded before it is shown. */

const STYLE_TIMEOUT = 2000; // milliseconds after which a page is shown without them

/** Styles that are neither loaded nor failed yet. @type {Set<Promise<unknown>>} */
const loadingStyles = new Set();

/** @param {Document} page @returns {HTMLLinkElement[]} */
const styleLinks = (page) => [...page.head.querySelectorAll(/** @type {"link"} */ ("link[rel=stylesheet]"))];

/** @param {HTMLLinkElement} link */
function addStyle(link) {
  const settled = new Promise((resolve) => {
    for (const news of ["load", "error"]) link.addEventListener(news, resolve, { once: true });
  });
  // If it failed, the next page asks again.
  link.addEventListener("error", () => link.remove());
  loadingStyles.add(settled);
  settled.then(() => loadingStyles.delete(settled));
  document.head.append(link);
}

/** Loads the styles of a page that are missing here; resolves once they are there, or after a timeout.
 * @param {Document} page @returns {Promise<unknown>} */
function loadStyles(page) {
  const known = new Set(styleLinks(document).map((link) => link.getAttribute("href")));
  for (const link of styleLinks(page)) if (!known.has(link.getAttribute("href"))) addStyle(link);
  if (!loadingStyles.size) return Promise.resolve();
  return Promise.race([Promise.all(loadingStyles), new Promise((resolve) => setTimeout(resolve, STYLE_TIMEOUT))]);
}
