/* Pages that were seen are there at once, while this phone's own server starts. */

import { isCorrection } from "./addresses.js";

const PAGES = "tricky-pages";
const MOST_PAGES = 60;
const OURS = { "Content-Type": "text/html; charset=utf-8", "X-Tricky": "1" };

/** Keeps a page; the oldest make room.
 * @param {PadPage} page */
export async function keepPage({ url, text }) {
  // What a question mark asks for is no other time what is wanted, nor is what stood at a
  // hand before it was corrected.
  if (!window.caches || url.search || isCorrection(url)) return;
  const pages = await caches.open(PAGES);
  await pages.delete(url.pathname);
  await pages.put(url.pathname, new Response(text, { headers: OURS }));
  for (const old of (await pages.keys()).slice(0, -MOST_PAGES)) await pages.delete(old);
}

/** Returns a page as it was seen, or else the one in which all others are drawn.
 * @param {URL} url @returns {Promise<PadPage | undefined>} */
export async function pageSeen(url) {
  const page = (await window.caches?.match(url.pathname)) ?? (await window.caches?.match("/pad/", { ignoreVary: true }));
  return page && { url, text: await page.text() };
}
