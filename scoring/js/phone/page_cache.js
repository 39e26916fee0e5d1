/* The cache of visited pages, for use without a network. The open page and the service worker store them. */

import { isCorrection } from "./addresses.js";

export const PAGES = "tricky-pages"; // the name of the cache
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
