/* Addresses of pages, and the cache of visited ones for use without a network. The service worker shares them. */

const SCOREPAD = /^\/($|matches\/new\/$|pad\/(bring\/)?$|who-won\/|how-to-play\/|you\/$|m\/)/;
const CORRECTION = /\/(correct|\d+\/tricks)\/$/;
const FILE = /\.(svg|json|png)$/;

/** A URL or a location. @typedef {{ pathname: string, search: string }} Place */

/** Whether an address is a file, which no page may replace.
 * @param {URL} url */
export const isFile = ({ pathname }) => FILE.test(pathname);

/** Whether a page can be drawn into this one.
 * @param {URL} url @param {string} [origin] */
export const isScorepadPage = (url, origin = location.origin) => url.origin === origin && SCOREPAD.test(url.pathname) && !isFile(url);

/** Whether a page corrects a hand. It must not be cached, because it shows the hand as it is now.
 * @param {Place} place */
export const isCorrection = ({ pathname }) => CORRECTION.test(pathname);

/** Returns the path of the form that corrects a hand: the one that it was entered in.
 * @param {Entry} entry */
export const correctionPath = ({ address, number, body }) =>
  `/m/${address}/hands/${number}/${body && "played" in body ? "tricks" : "correct"}/`;

/** Returns the address of the match that a page belongs to.
 * @param {{ pathname: string }} place */
export const matchAddress = ({ pathname }) => pathname.match(/^\/m\/([^/]+)\//)?.[1];

/** Returns the path without the hash, because a link to a part of the page loads nothing.
 * @param {Place} place */
export const pathOf = ({ pathname, search }) => pathname + search;

export const currentUrl = () => new URL(location.href);

/** @param {{ toString(): string }} to */
export const toUrl = (to) => new URL(String(to), location.href);

/** The name of the cache. */
export const PAGES = "tricky-pages";
const MOST_PAGES = 60;
const BIDDING = /\/hands\/new\/bids\/$/;
const OWN = { "Content-Type": "text/html; charset=utf-8", "X-Tricky": "1" };

/** Stores the response of a page; the oldest pages make room.
 * @param {URL} url @param {Response} answer */
export async function cacheAnswer(url, answer) {
  // Answers to a query, corrections, and the bidding of an earlier hand are of no use later.
  if (!globalThis.caches || url.search || isCorrection(url) || BIDDING.test(url.pathname)) return;
  if (answer.headers.get("Cache-Control")?.includes("no-store")) return;
  const pages = await caches.open(PAGES);
  // In one step, so that a reload meanwhile finds a page.
  await pages.put(url.pathname, answer);
  for (const old of (await pages.keys()).slice(0, -MOST_PAGES)) await pages.delete(old);
}

/** @param {PadPage} page */
export const cachePage = ({ url, text }) => cacheAnswer(url, new Response(text, { headers: OWN }));

/** Returns a page as it was last seen, or else the shell in which other pages are drawn.
 * @param {URL} url @returns {Promise<PadPage & { isSeen: boolean } | undefined>} */
export async function findCachedPage(url) {
  const seen = await globalThis.caches?.match(url.pathname);
  const page = seen ?? (await globalThis.caches?.match("/pad/", { ignoreVary: true }));
  return page && { url, text: await page.text(), isSeen: Boolean(seen) };
}
