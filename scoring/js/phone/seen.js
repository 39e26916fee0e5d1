/* Pages that were seen are there at once, while this phone's own server starts. */

import { isCorrection } from "./addresses.js";

const PAGES = "tricky-pages";
const MOST_PAGES = 60;
const BIDDING = /\/hands\/new\/bids\/$/;
const OURS = { "Content-Type": "text/html; charset=utf-8", "X-Tricky": "1" };

/** Keeps a page; the oldest make room.
 * @param {PadPage} page */
export async function keepPage({ url, text }) {
  // What a question mark asks for is no other time what is wanted, nor is what stood at a
  // hand before it was corrected, nor the bidding of an earlier hand.
  if (!window.caches || url.search || isCorrection(url) || BIDDING.test(url.pathname)) return;
  const pages = await caches.open(PAGES);
  // In one step: a page that is loaded anew meanwhile must not find that there is none.
  await pages.put(url.pathname, new Response(text, { headers: OURS }));
  for (const old of (await pages.keys()).slice(0, -MOST_PAGES)) await pages.delete(old);
}

const SHEET = /^\/m\/[^/]+\/$/;

/** Keeps a sheet as this phone drew it, in the page that the server sent: whoever loads it anew without a
 * network sees at once what this phone showed last.
 * @param {PadPage} page */
export async function keepDrawnSheet({ url, text }) {
  if (!window.caches || url.search || !SHEET.test(url.pathname)) return;
  const sent = (await caches.match(url.pathname)) ?? (await caches.match("/pad/", { ignoreVary: true }));
  if (!sent) return;
  const parser = new DOMParser();
  const page = parser.parseFromString(await sent.text(), "text/html");
  const drawn = parser.parseFromString(text, "text/html");
  page.body.replaceWith(drawn.body);
  page.title = drawn.title;
  for (const sheet of drawn.head.querySelectorAll("link[rel=stylesheet]")) {
    if (!page.head.querySelector(`link[href="${sheet.getAttribute("href")}"]`)) page.head.append(sheet);
  }
  await keepPage({ url, text: `<!doctype html>${page.documentElement.outerHTML}` });
}

/** Returns a page as it was seen, or else the one in which all others are drawn.
 * @param {URL} url @returns {Promise<PadPage & { isSeen: boolean } | undefined>} */
export async function pageSeen(url) {
  const seen = await window.caches?.match(url.pathname);
  const page = seen ?? (await window.caches?.match("/pad/", { ignoreVary: true }));
  return page && { url, text: await page.text(), isSeen: Boolean(seen) };
}
