/* A player's own page stays readable without a network, for as long as it is theirs. */

import { within } from "../phone/patience.js";
import { PAGES, PATIENCE, isOurs, noRoom, pageOffline } from "./pages.js";

const NIGHTS = "tricky-nights";
const MOST_NIGHTS = 6;
const NIGHT = /^\/t\/[^/]+\/me\/(for\/\d+\/)?$/;
const SIGNS_IN = /^\/accounts\/login\/$/;
const SIGNS_OUT = /^\/accounts\/logout\/$/;
const SPEAKS_OTHERWISE = /^\/language\/$/;

/** @param {URL} url */
export const isNight = ({ pathname }) => NIGHT.test(pathname);

/** @param {URL} url */
export const signsIn = ({ pathname }) => SIGNS_IN.test(pathname);

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  // Who signs out leaves nothing behind for the next who holds this phone.
  // The pad itself stays: its files draw what this phone still has to send.
  // Nor does who chooses another language want a page in the one before.
  const path = new URL(url).pathname;
  const isOver = method === "POST" && (SIGNS_OUT.test(path) || SPEAKS_OTHERWISE.test(path));
  if (isOver) event.waitUntil(Promise.all([NIGHTS, PAGES].map((name) => caches.delete(name))));
});

const OF_ACCOUNT = 'href="/accounts/logout/"';

/** Deletes the pages that were kept for an account: nobody is signed in any more. */
export async function forgetAccount() {
  for (const name of [NIGHTS, PAGES]) {
    const pages = await caches.open(name);
    for (const { url } of await pages.keys()) {
      const page = await pages.match(url, { ignoreVary: true });
      if ((await page?.text())?.includes(OF_ACCOUNT)) await pages.delete(url, { ignoreVary: true });
    }
  }
}

/** @param {Request} request @param {URL} url */
export async function nightFor(request, { pathname }) {
  const nights = await caches.open(NIGHTS);
  try {
    const answer = await fetch(request, { signal: within(PATIENCE) });
    if (!isOurs(answer)) throw new Error("not ours");
    // Sent elsewhere, or not to be kept: it is not theirs any more.
    const isTheirs = answer.ok && !answer.headers.get("Cache-Control")?.includes("no-store");
    await (isTheirs ? nights.put(pathname, answer.clone()) : nights.delete(pathname)).catch(noRoom);
    for (const old of (await nights.keys()).slice(0, -MOST_NIGHTS)) await nights.delete(old);
    return answer;
  } catch {
    return (await nights.match(pathname, { ignoreVary: true })) ?? pageOffline();
  }
}
