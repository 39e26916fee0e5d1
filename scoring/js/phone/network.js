/* Fetches pages from the network, and watches whether it is available. */

import { announce, listen } from "../browser.js";
import { cachePage, toUrl } from "./addresses.js";
import * as local from "./local_server.js";

const PAGE_TIMEOUT = 3000;
const CHECK_INTERVAL = 5000; // milliseconds, while the network is away

/** Whether the last request failed because there was no network. */
export let isAway = false;

/** @param {boolean} value */
function setAway(value) {
  if (value && local.isLeaving) return;
  const isNews = isAway !== value;
  isAway = value;
  document.documentElement.toggleAttribute("data-no-network", value);
  if (value) local.recordNetworkLoss();
  // A local server that failed to start is not started again here.
  if (value && !local.hasFailed && local.canStartByItself()) local.startIfSafe().catch(() => {});
  if (isNews) announce(value ? "tricky:away" : "tricky:back");
}

/** Whether an answer is a page of the server, and not one of a proxy or a Wi-Fi sign-in.
 * @param {Response} answer */
const isOwnPage = ({ status, headers }) =>
  Boolean(headers.get("Content-Type")?.startsWith("text/html")) && headers.has("X-Tricky") && status < 500;

/** The server answers that it is full and cannot save (`serverFull`), or that it saved an entry (`saved`) but cannot show the next page. */
export class ServerStateError extends Error {}
const FULL = 507;

/** Returns a page of the server. Throws if there is none.
 * @param {URL} url @param {RequestInit} [options] @returns {Promise<PadPage>} */
export async function fetchPage(url, options = {}) {
  try {
    const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(PAGE_TIMEOUT) });
    const isFull = answer.status === FULL && answer.headers.has("X-Tricky");
    if (isFull) throw new ServerStateError("serverFull");
    if (!isOwnPage(answer)) throw options.method && answer.redirected ? new ServerStateError("saved") : new Error(`no page of ours: ${answer.status}`);
    setAway(false);
    const page = { url: new URL(answer.url), text: await answer.text(), isGood: answer.ok };
    if (answer.ok && !options.method) cachePage(page).catch(() => {});
    return page;
  } catch (error) {
    setAway(!(error instanceof ServerStateError));
    throw error;
  }
}

/** Caches a page that will be needed, if there is a network.
 * @param {string} to */
export const prefetchPage = async (to) => isAway || fetchPage(toUrl(to)).catch(() => {});

/* A cached page may have an old token; the cookie has the valid one. */
const readCookie = (/** @type {RegExp} */ name) => document.cookie.match(name)?.[1];
/* There may still be a cookie from before the site had https. */
const readToken = () => readCookie(/__Host-csrftoken=([^;]+)/) ?? readCookie(/csrftoken=([^;]+)/) ?? "";

/** Sends a form to the server; returns the page that answers.
 * @param {URL} url @param {Fields} fields */
export async function postForm(url, fields) {
  // Cookies may have been cleared; any page sets a new one.
  if (!readToken()) await fetchPage(toUrl("/pad/"));
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries({ ...fields, csrfmiddlewaretoken: readToken() })) {
    for (const value of [values].flat()) body.append(name, value);
  }
  return fetchPage(url, { method: "POST", body });
}

/** Puts the valid token into what htmx sends. Checks the network now, when it may have changed, and regularly while it is
 * away. */
export function watchNetwork() {
  listen("htmx:configRequest", (/** @type {CustomEvent<HtmxDetail>} */ { detail }) => {
    if (!readToken()) return;
    detail.headers["X-CSRFToken"] = readToken();
    if (detail.formData.has("csrfmiddlewaretoken")) detail.formData.set("csrfmiddlewaretoken", readToken());
  });
  const checkNetwork = () =>
    fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PAGE_TIMEOUT) })
      .then(({ ok, headers }) => setAway(!(ok && headers.has("X-Tricky"))), () => setAway(true));
  addEventListener("online", checkNetwork);
  listen("tricky:outbox htmx:sendError", checkNetwork);
  setInterval(() => isAway && !document.hidden && checkNetwork(), CHECK_INTERVAL);
  return checkNetwork();
}
