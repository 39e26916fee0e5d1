/* Which answers are pages of ours, and what is shown where there is none. */

import { PAGES } from "../phone/page_cache.js";

export const PAGE_TIMEOUT = 3000;

/** Warns that the cache is full; the answer is used all the same.
 * @param {unknown} error */
export const warnNotCached = (error) => console.warn("Not kept:", error);

/** Whether an answer is of our server, and not of a proxy; the browser follows a redirection.
 * @param {Response} answer */
export const isOwnPage = ({ type, status, headers }) => type === "opaqueredirect" || (status < 500 && headers.has("X-Tricky"));

/** @param {URL} url */
export async function findCachedPage({ pathname }) {
  const pages = await caches.open(PAGES);
  for (const [cache, path] of /** @type {const} */ ([[pages, pathname], [caches, pathname], [caches, RELEASE.pages[0]]])) {
    const page = await cache.match(path, { ignoreVary: true });
    if (page) return page;
  }
  return Response.error();
}

/** Returns the page that says that the network is needed. */
export const findOfflinePage = async () => (await caches.match(RELEASE.offline, { ignoreVary: true })) ?? Response.error();
