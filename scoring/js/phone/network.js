/* Pages from the network, and whether there is one. */

import { toUrl } from "./addresses.js";
import * as local from "./local_server.js";
import { timeoutSignal } from "./timeouts.js";
import * as readiness from "./readiness.js";
import { cachePage } from "./page_cache.js";

const PAGE_TIMEOUT = 3000;
const LOOK_PAUSE = 5000; // milliseconds between two looks for a network that is away

/** Whether the network was away when it was last asked. */
export let isAway = false;

/** @param {boolean} value */
function setAway(value) {
  if (value && readiness.isLeaving) return;
  const isNews = isAway !== value;
  isAway = value;
  document.documentElement.toggleAttribute("data-away", value);
  if (value) readiness.recordNetworkLoss();
  // One that could not start is tried again with the network, or when a page wants it.
  if (value && !local.hasFailed && readiness.canStartByItself()) readiness.startIfSafe().catch(() => {});
  if (isNews) document.dispatchEvent(new CustomEvent(value ? "tricky:away" : "tricky:back"));
}

/** Whether an answer is a page of the server, and not one of a proxy or a Wi-Fi sign-in.
 * @param {Response} answer */
const isOwnPage = ({ status, headers }) =>
  Boolean(headers.get("Content-Type")?.startsWith("text/html")) && headers.has("X-Tricky") && status < 500;

/** The server answers, but `full`: it cannot save now, or `taken`: it saved, but cannot show the next page. */
export class ServerStateError extends Error {}
const FULL = 507;

/** Returns a page of the server; throws if there is none.
 * @param {URL} url @param {RequestInit} [options] @returns {Promise<PadPage>} */
export async function fetchPage(url, options = {}) {
  try {
    const answer = await fetch(url, { ...options, signal: timeoutSignal(PAGE_TIMEOUT) });
    const isFull = answer.status === FULL && answer.headers.has("X-Tricky");
    if (isFull) throw new ServerStateError("full");
    if (!isOwnPage(answer)) throw options.method && answer.redirected ? new ServerStateError("taken") : new Error(`no page of ours: ${answer.status}`);
    setAway(false);
    const page = { url: new URL(answer.url), text: await answer.text(), isGood: answer.ok };
    if (answer.ok && !options.method) cachePage(page).catch(() => {});
    return page;
  } catch (error) {
    setAway(!(error instanceof ServerStateError));
    throw error;
  }
}

/** Caches a page that will be needed; without a network it does nothing.
 * @param {string} to */
export const prefetchPage = async (to) => isAway || fetchPage(toUrl(to)).then(cachePage).catch(() => {});

/* A cached page may have an old token; the cookie has the valid one. */
const readCookie = (/** @type {RegExp} */ name) => document.cookie.match(name)?.[1];
/* Besides the one of https there may be one from before. */
const readToken = () => readCookie(/__Host-csrftoken=([^;]+)/) ?? readCookie(/csrftoken=([^;]+)/) ?? "";

/** Sends a form to the server; returns the page that answers.
 * @param {URL} url @param {Fields} fields */
export async function postForm(url, fields) {
  // If cookies were cleared, any page sets another.
  if (!readToken()) await fetchPage(toUrl("/pad/"));
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries({ ...fields, csrfmiddlewaretoken: readToken() })) {
    for (const value of [values].flat()) body.append(name, value);
  }
  return fetchPage(url, { method: "POST", body });
}

/** Puts the valid token into what htmx sends. */
export function renewTokens() {
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!readToken()) return;
    detail.headers["X-CSRFToken"] = readToken();
    if (detail.formData.has("csrfmiddlewaretoken")) detail.formData.set("csrfmiddlewaretoken", readToken());
  });
}

/** Looks for the network now, at each sign of it, and while it is away. */
export function watchNetwork() {
  const isThere = (/** @type {Response} */ answer) => answer.ok && answer.headers.has("X-Tricky");
  const look = () =>
    fetch("/healthz", { cache: "no-store", signal: timeoutSignal(PAGE_TIMEOUT) })
      .then((answer) => setAway(!isThere(answer)), () => setAway(true));
  addEventListener("online", look);
  for (const sign of ["tricky:outbox", "htmx:sendError"]) document.addEventListener(sign, look);
  setInterval(() => isAway && !document.hidden && look(), LOOK_PAUSE);
  return look();
}
