/* The service worker: what the pad is made of stays on this phone.

   `RELEASE` stands before this text: its version, the files, pages that are
   there from the beginning; the first of them draws all others. */

import { isFile, isScorepadPage } from "./phone/addresses.js";
import { PAGES, cacheAnswer } from "./phone/page_cache.js";
import { timeoutSignal } from "./phone/timeouts.js";
import { deleteAccountPages, isMyNight, answerNight, isSignIn } from "./service_worker/nights.js";
import { PAGE_TIMEOUT, findCachedPage, findOfflinePage, isOwnPage, warnNotCached } from "./service_worker/pages.js";
import "./service_worker/push.js";
import "./service_worker/sync.js";

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
