/* The service worker: what the pad is made of stays on this phone.

   `RELEASE` stands before this text: its version, the files, pages that are
   there from the beginning; the first of them draws all others. */

import { isFile, isScorepadPage } from "./phone/addresses.js";
import { PAGES, cacheAnswer } from "./phone/page_cache.js";
import { timeoutSignal } from "./phone/timeouts.js";
import "./service_worker/push.js";
import "./service_worker/sync.js";

/* Which answers are pages of ours, and what is shown where there is none. */

const PAGE_TIMEOUT = 3000;

/** Warns that the cache is full; the answer is used all the same.
 * @param {unknown} error */
const warnNotCached = (error) => console.warn("Not kept:", error);

/** Whether an answer is of our server, and not of a proxy; the browser follows a redirection.
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

/** Returns the page that says that the network is needed. */
const findOfflinePage = async () => (await caches.match(RELEASE.offline, { ignoreVary: true })) ?? Response.error();

/* A player's own page stays readable without a network, for as long as it is theirs. */

const NIGHTS = "tricky-nights";
const MOST_NIGHTS = 6;
const NIGHT = /^\/t\/[^/]+\/me\/(for\/\d+\/)?$/;
const SIGNS_IN = /^\/accounts\/login\/$/;
const SIGNS_OUT = /^\/accounts\/logout\/$/;
const SPEAKS_OTHERWISE = /^\/language\/$/;

/** @param {URL} url */
const isMyNight = ({ pathname }) => NIGHT.test(pathname);

/** @param {URL} url */
const isSignIn = ({ pathname }) => SIGNS_IN.test(pathname);

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  // After a sign-out, or in another language, these pages must not be seen again. The files stay: they draw what
  // this phone still has to send.
  const path = new URL(url).pathname;
  const isOver = method === "POST" && (SIGNS_OUT.test(path) || SPEAKS_OTHERWISE.test(path));
  if (isOver) event.waitUntil(Promise.all([NIGHTS, PAGES].map((name) => caches.delete(name))));
});

const OF_ACCOUNT = 'href="/accounts/logout/"';

/** Deletes cached pages of an account. */
async function deleteAccountPages() {
  for (const name of [NIGHTS, PAGES]) {
    const pages = await caches.open(name);
    for (const { url } of await pages.keys()) {
      const page = await pages.match(url, { ignoreVary: true });
      if ((await page?.text())?.includes(OF_ACCOUNT)) await pages.delete(url, { ignoreVary: true });
    }
  }
}

/** @param {Request} request @param {URL} url */
async function answerNight(request, { pathname }) {
  const nights = await caches.open(NIGHTS);
  try {
    const answer = await fetch(request, { signal: timeoutSignal(PAGE_TIMEOUT) });
    if (!isOwnPage(answer)) throw new Error("not ours");
    // A redirect, or `no-store`: the page is no longer this player's.
    const isTheirs = answer.ok && !answer.headers.get("Cache-Control")?.includes("no-store");
    await (isTheirs ? nights.put(pathname, answer.clone()) : nights.delete(pathname)).catch(warnNotCached);
    for (const old of (await nights.keys()).slice(0, -MOST_NIGHTS)) await nights.delete(old);
    return answer;
  } catch {
    return (await nights.match(pathname, { ignoreVary: true })) ?? findOfflinePage();
  }
}

const FILES = `tricky-files-${RELEASE.version}`;
const PYTHON = "tricky-python"; // by its version, which stands in the address

addEventListener("install", (event) => event.waitUntil(cacheRelease()));
async function cacheRelease() {
  const files = await caches.open(FILES);
  await files.addAll([...RELEASE.files, ...RELEASE.pages, RELEASE.offline]);
}

addEventListener("activate", (event) => event.waitUntil(deleteOldCaches()));
async function deleteOldCaches() {
  const old = (await caches.keys()).filter((name) => name.startsWith("tricky-files-") && name !== FILES);
  // A page of the last release that is still open wants its files; older ones are gone, and so are
  // the pages that were kept of any. Those seen before the first release came may stay.
  for (const name of old.length ? [...old.slice(0, -1), PAGES] : []) await caches.delete(name);
  const python = await caches.open(PYTHON);
  for (const file of await python.keys()) if (!new URL(file.url).pathname.startsWith(RELEASE.python)) await python.delete(file);
  await clients.claim();
}

/* A page says so when its queue is empty. */
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
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetchFile(request);
  const cache = new URL(request.url).pathname.startsWith(RELEASE.python) ? PYTHON : FILES;
  if (answer.ok) await caches.open(cache).then((files) => files.put(request, answer.clone())).catch(warnNotCached);
  return answer;
}

/** Fetches a file. A server that sends large files to many phones answers 503, and is asked again for two minutes or so.
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
  if (isMyNight(url)) return answerNight(request, url);
  const isOfPad = isScorepadPage(url);
  try {
    const answer = await fetch(request, isOfPad ? { signal: timeoutSignal(PAGE_TIMEOUT) } : {});
    if (isOfPad && answer.ok && answer.headers.has("X-Tricky")) await cacheAnswer(url, answer.clone()).catch(warnNotCached);
    // Signed-in people are redirected from there: the account was signed out, on another device or by time.
    if (isSignIn(url) && answer.ok && isOwnPage(answer)) await deleteAccountPages().catch(warnNotCached);
    if (isOfPad && !isOwnPage(answer)) throw new Error("not ours");
    return answer;
  } catch {
    return isOfPad ? findCachedPage(url) : findOfflinePage();
  }
}
