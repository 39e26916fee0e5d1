/* A player's own page stays readable without a network, for as long as it is theirs. */

import { timeoutSignal } from "../phone/timeouts.js";
import { PAGES } from "../phone/page_cache.js";
import { PAGE_TIMEOUT, isOwnPage, warnNotCached, findOfflinePage } from "./pages.js";

const NIGHTS = "tricky-nights";
const MOST_NIGHTS = 6;
const NIGHT = /^\/t\/[^/]+\/me\/(for\/\d+\/)?$/;
const SIGNS_IN = /^\/accounts\/login\/$/;
const SIGNS_OUT = /^\/accounts\/logout\/$/;
const SPEAKS_OTHERWISE = /^\/language\/$/;

/** @param {URL} url */
export const isMyNight = ({ pathname }) => NIGHT.test(pathname);

/** @param {URL} url */
export const isSignIn = ({ pathname }) => SIGNS_IN.test(pathname);

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
export async function deleteAccountPages() {
  for (const name of [NIGHTS, PAGES]) {
    const pages = await caches.open(name);
    for (const { url } of await pages.keys()) {
      const page = await pages.match(url, { ignoreVary: true });
      if ((await page?.text())?.includes(OF_ACCOUNT)) await pages.delete(url, { ignoreVary: true });
    }
  }
}

/** @param {Request} request @param {URL} url */
export async function answerNight(request, { pathname }) {
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
