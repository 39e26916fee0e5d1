/* The service worker: caches the files of the scorepad and visited pages.

   The server puts `RELEASE` before this text: the version, the files, and the pages to cache at installation. The first
   page is the shell in which others are drawn. */

import { PAGES, cacheAnswer, isFile, isScorepadPage } from "./phone/addresses.js";
import "./background.js";

const PAGE_TIMEOUT = 3000; // milliseconds

/** The cache may be full; the answer is used all the same.
 * @param {unknown} error */
const warnNotCached = (error) => console.warn("Not cached:", error);

/** Whether an answer is of our server and not of a proxy. The browser follows a redirect.
 * @param {Response} answer */
const isOwnPage = ({ type, status, headers }) => type === "opaqueredirect" || (status < 500 && headers.has("X-Tricky"));

/** @param {URL} url */
async function findCachedPage({ pathname }) {
  const pages = await caches.open(PAGES);
  for (const [cache, path] of /** @type {const} */ ([[pages, pathname], [caches, pathname], [caches, RELEASE.pages[0]]])) {
    const page = await cache.match(path, { ignoreVary: true });
    if (page) return page;
  }
  return Response.error();
}

/** Returns the page that explains that the network is needed. */
const findOfflinePage = async () => (await caches.match(RELEASE.offline, { ignoreVary: true })) ?? Response.error();

/* The personal page of a player stays readable without a network, until they sign out. */

const NIGHTS = "tricky-nights";
const MOST_NIGHTS = 6;
const NIGHT = /^\/t\/[^/]+\/me\/(for\/\d+\/)?$/;

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  // After a sign-out or in another language, these pages must not be shown again. The files stay, because they are needed
  // to send the queue.
  const endsSession = method === "POST" && ["/accounts/logout/", "/language/"].includes(new URL(url).pathname);
  if (endsSession) event.waitUntil(Promise.all([NIGHTS, PAGES].map((name) => caches.delete(name))));
});

const SIGNED_IN = "data-signed-in"; // an attribute of the pages of an account

/** Deletes cached pages of an account. */
async function deleteAccountPages() {
  for (const name of [NIGHTS, PAGES]) {
    const pages = await caches.open(name);
    for (const { url } of await pages.keys()) {
      const page = await pages.match(url, { ignoreVary: true });
      if ((await page?.text())?.includes(SIGNED_IN)) await pages.delete(url, { ignoreVary: true });
    }
  }
}

/** @param {Request} request @param {URL} url */
async function answerNight(request, { pathname }) {
  const nights = await caches.open(NIGHTS);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PAGE_TIMEOUT) });
    if (!isOwnPage(answer)) throw new Error("not ours");
    // After a redirect or `no-store`, the page no longer belongs to this player.
    const isStillTheirs = answer.ok && !answer.headers.get("Cache-Control")?.includes("no-store");
    await (isStillTheirs ? nights.put(pathname, answer.clone()) : nights.delete(pathname)).catch(warnNotCached);
    for (const old of (await nights.keys()).slice(0, -MOST_NIGHTS)) await nights.delete(old);
    return answer;
  } catch {
    return (await nights.match(pathname, { ignoreVary: true })) ?? findOfflinePage();
  }
}

const FILES = `tricky-files-${RELEASE.version}`;
const PYTHON = "tricky-python"; // its addresses contain the version

addEventListener("install", (event) => event.waitUntil(cacheRelease()));
async function cacheRelease() {
  const files = await caches.open(FILES);
  await files.addAll([...RELEASE.files, ...RELEASE.pages, RELEASE.offline]);
}

addEventListener("activate", (event) => event.waitUntil(deleteOldCaches()));
async function deleteOldCaches() {
  const old = (await caches.keys()).filter((name) => name.startsWith("tricky-files-") && name !== FILES);
  // Open pages of the last release still need its files. Older files go, and so do cached pages of other releases, but not
  // those from before the first installation.
  for (const name of old.length ? [...old.slice(0, -1), PAGES] : []) await caches.delete(name);
  const python = await caches.open(PYTHON);
  for (const file of await python.keys()) if (!new URL(file.url).pathname.startsWith(RELEASE.python)) await python.delete(file);
  await clients.claim();
}

/* A page sends this when its queue is empty. */
addEventListener("message", (event) => event.data === "take over" && skipWaiting());

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/static/") || url.pathname.startsWith("/pad/pack/")) event.respondWith(answerFile(request));
  else if (request.mode === "navigate") event.respondWith(answerPage(request, url));
});

/** @param {Request} request */
async function answerFile(request) {
  const cached = await caches.match(request, { ignoreVary: true });
  if (cached) return cached;
  const answer = await fetchFile(request);
  const cache = new URL(request.url).pathname.startsWith(RELEASE.python) ? PYTHON : FILES;
  if (answer.ok) await caches.open(cache).then((files) => files.put(request, answer.clone())).catch(warnNotCached);
  return answer;
}

/** Fetches a file. A server that is sending large files to many phones answers 503; tries again for about two minutes.
 * @param {Request} request @param {number} [tries] @returns {Promise<Response>} */
async function fetchFile(request, tries = 40) {
  const answer = await fetch(request);
  if (answer.status !== 503 || !tries) return answer;
  await new Promise((resolve) => setTimeout(resolve, 2000 + 2000 * Math.random()));
  return fetchFile(request, tries - 1);
}

/** @param {Request} request @param {URL} url */
async function answerPage(request, url) {
  if (isFile(url)) return fetch(request);
  if (NIGHT.test(url.pathname)) return answerNight(request, url);
  const isScorepad = isScorepadPage(url);
  try {
    const answer = await fetch(request, isScorepad ? { signal: AbortSignal.timeout(PAGE_TIMEOUT) } : {});
    if (isScorepad && answer.ok && answer.headers.has("X-Tricky")) await cacheAnswer(url, answer.clone()).catch(warnNotCached);
    // The sign-in page redirects signed-in people, so the session has ended: on another device or by time.
    if (url.pathname === "/accounts/login/" && answer.ok && isOwnPage(answer)) await deleteAccountPages().catch(warnNotCached);
    if (isScorepad && !isOwnPage(answer)) throw new Error("not ours");
    return answer;
  } catch {
    return isScorepad ? findCachedPage(url) : findOfflinePage();
  }
}
