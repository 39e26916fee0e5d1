/* Pages of the scorepad without leaving this one, so that the server in it lives on.

   A page comes from the network or, where that is away, from this phone. */

import { addressOf, here, isCorrection, placeOf, toUrl } from "./addresses.js";
import { going } from "./kept.js";
import * as local from "./local.js";
import * as network from "./network.js";
import { begin, mayStart, startsFor } from "./readiness.js";
import { keepDrawnSheet, pageSeen } from "./seen.js";
import { fetchStyles } from "./styles.js";

/** Returns a page of this phone, redirections followed.
 * @param {URL} url @param {Fields} [fields] @returns {Promise<PadPage>} */
export async function fromPhone(url, method = "GET", fields = {}) {
  const { status, location: to, text, held } = await local.answer(method, placeOf(url), fields);
  if (status === 301 || status === 302) return fromPhone(new URL(to, url));
  const page = { url, text, held, isGood: status === 200 };
  if (page.isGood && method === "GET") keepDrawnSheet(page).catch(() => {});
  return page;
}

/** Where the page that is shown came from. */
let shown = placeOf(location);

/** Whether this page is not the one that is shown. */
export const hasMoved = () => shown !== placeOf(location);

/** @param {string} text */
const parse = (text) => new DOMParser().parseFromString(text, "text/html");

/** Puts a page in the place of this one. One that this phone drew tells on which version of the
 * server's it stands: that in its forms counts what only this phone has.
 * @param {PadPage} drawn @param {{ remember?: boolean, page?: Document }} [options] */
export function draw({ url, text, held }, { remember = true, page = parse(text) } = {}) {
  const { dataset } = document.documentElement;
  if (held === undefined) delete dataset.held;
  else dataset.held = String(held);
  if (remember && url.href !== location.href) history.pushState({}, "", url);
  shown = placeOf(url);
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  fetchStyles(page);
  // Each page lies on the cloth of its game.
  document.body.dataset.game = page.body.dataset.game ?? "";
  document.body.replaceChildren(...page.body.childNodes);
  scrollTo(0, 0);
  window.htmx?.process(document.body);
  document.dispatchEvent(new CustomEvent("tricky:drawn"));
  document.getElementById("main")?.focus({ preventScroll: true });
  // A browser goes by itself to the part that a link names, but not on a page that was drawn here.
  if (url.hash) document.getElementById(url.hash.slice(1))?.scrollIntoView();
}

/* Whether this phone knows more of a page's match than the server does, and can draw it; one that keeps
   nothing knows nothing. What is to be corrected is worth waiting for: the server's page shows what was
   corrected since. */
/** @param {URL} url */
async function isOurs(url) {
  const address = addressOf(url);
  const waits = address ? await going(address).catch(() => []) : [];
  if (!waits.length) return false;
  return local.ready || (isCorrection(url) && begin().then(() => true, () => false));
}

/* Only the page that was asked for last is drawn, however late another arrives. One that
   `yields` was asked for by nobody: it is not drawn while another is under way. */
let lastAsked = 0;
let lastDrawn = 0;

/** How a page is drawn: whether it is an address of its own to go back to, and whether it yields.
 * `hash` names the part that is meant, of which no server is told.
 * @typedef {{ remember?: boolean, yields?: boolean, hash?: string }} Manner */

/** @param {() => Promise<PadPage>} fetchPage @param {Manner} [manner] */
async function drawFrom(fetchPage, { remember, yields = false, hash = "" } = {}) {
  if (yields && lastDrawn !== lastAsked) return false;
  const mine = yields ? lastAsked : (lastAsked += 1);
  try {
    const drawn = await fetchPage();
    const page = parse(drawn.text);
    // Whatever is to be tapped would move away under the finger.
    await fetchStyles(page);
    if (mine !== lastAsked) return false;
    lastDrawn = mine;
    drawn.url.hash = hash;
    draw(drawn, { remember, page });
    return drawn;
  } finally {
    if (mine === lastAsked) lastDrawn = mine;
  }
}

/** Goes to a page: the network's, or else this phone's. `alone` asks only the phone.
 * Returns the page where it was drawn.
 * @param {string | URL | Location} to @param {Manner & { alone?: boolean }} [manner] */
export const go = (to, { remember, alone = false, yields } = {}) => {
  const url = toUrl(to);
  return drawFrom(() => pageAt(url, alone), { remember, yields, hash: url.hash });
};

/** @param {URL} url @param {boolean} alone */
async function pageAt(url, alone) {
  try {
    if (alone || network.away || (await isOurs(url))) throw new Error("the server does not know");
    return await network.fromServer(url);
  } catch {
    if (local.ready) return fromPhone(url);
    const page = await pageSeen(url);
    // Drawn once more by whoever hears that this phone's own server is there; who only follows needs none.
    if (mayStart() || (!page?.isSeen && startsFor(url))) begin().catch(() => {});
    if (!page) throw new Error("nothing is kept of this page");
    return page;
  }
}

/** Sends a form to the network or, where that is away and nothing has to be sent later, to
 * this phone; draws the answer, and returns it where it did. What is changed `here` alone
 * would be lost.
 * @param {string | URL} to @param {Fields} fields */
export const post = (to, fields, { here: isHere = true } = {}) => drawFrom(() => pageAfter(toUrl(to), fields, isHere));

/** @param {URL} url @param {Fields} fields @param {boolean} isHere */
async function pageAfter(url, fields, isHere) {
  try {
    if (isHere && (await isOurs(url))) throw new Error("the server does not know");
    return await network.postToServer(url, fields);
  } catch (error) {
    // A server that can keep nothing says so: what this phone alone made of it nobody else would see.
    if (!isHere || error instanceof network.SaidError) throw error;
    await begin();
    return fromPhone(url, "POST", fields);
  }
}

/** Draws the page at this address anew, unless another is under way.
 * @param {Manner & { alone?: boolean }} [manner] */
export const goAnew = (manner) => go(here(), { ...manner, remember: false });

/** Draws a page that is there, unless another is under way.
 * @param {() => Promise<PadPage>} fetchPage */
export const drawMeanwhile = (fetchPage) => drawFrom(fetchPage, { remember: false, yields: true });
