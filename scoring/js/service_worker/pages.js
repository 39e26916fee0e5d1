/* Pages that were seen, as the service worker keeps them. */

import { isCorrection } from "../phone/addresses.js";

export const PAGES = "tricky-pages";
export const PATIENCE = 3000;
const MOST_PAGES = 60;

/** What cannot be kept was fetched all the same.
 * @param {unknown} error */
export const noRoom = (error) => console.warn("Not kept:", error);

/** Whether a page came, and not that of whoever is between; a redirection is the browser's to follow.
 * @param {Response} answer */
export const isOurs = ({ type, status, headers }) => type === "opaqueredirect" || (status < 500 && headers.has("X-Tricky"));

/** @param {URL} url */
export async function pageKept({ pathname }) {
  const pages = await caches.open(PAGES);
  for (const [cache, path] of /** @type {const} */ ([[pages, pathname], [caches, pathname], [caches, RELEASE.pages[0]]])) {
    const page = await cache.match(path, { ignoreVary: true });
    if (page) return page;
  }
  return Response.error();
}

/** Says at once that a page of the server needs the network. */
export const pageOffline = async () => (await caches.match(RELEASE.offline, { ignoreVary: true })) ?? Response.error();

/** @param {URL} url @param {Response} answer */
export async function keepPage(url, answer) {
  // What a question mark asks for is no other time what is wanted, nor is what stood at a
  // hand before it was corrected.
  if (url.search || isCorrection(url)) return;
  if (answer.headers.get("Cache-Control")?.includes("no-store")) return;
  const pages = await caches.open(PAGES);
  // In one step: a page that is loaded anew meanwhile must not find that there is none.
  await pages.put(url.pathname, answer);
  const old = (await pages.keys()).slice(0, -MOST_PAGES);
  for (const page of old) await pages.delete(page);
}
