/* Pages from the network, and whether there is one. */

import { toUrl } from "./addresses.js";
import * as local from "./local.js";
import { within } from "./patience.js";
import * as readiness from "./readiness.js";
import { keepPage } from "./seen.js";

const PATIENCE = 3000;
const PAUSE = 5000; // milliseconds between two looks for a network that is away

/** Whether the network was away when it was last asked. */
export let away = false;

/** @param {boolean} value */
function setAway(value) {
  if (value && readiness.isLeft) return;
  const isNews = away !== value;
  away = value;
  document.documentElement.toggleAttribute("data-away", value);
  if (value) readiness.noteLoss();
  // One that could not start is tried again with the network, or when a page wants it.
  if (value && !local.hasFailed && readiness.mayStart()) readiness.begin().catch(() => {});
  if (isNews) document.dispatchEvent(new CustomEvent(value ? "tricky:away" : "tricky:back"));
}

/** Whether a page of the server's came, and not one of whoever is between.
 * @param {Response} answer */
const isPage = ({ status, headers }) =>
  Boolean(headers.get("Content-Type")?.startsWith("text/html")) && headers.has("X-Tricky") && status < 500;

/** The server is there: it is `full` and can keep nothing at the moment, or it has `taken` what was sent, and
 * cannot show the page to which that leads. */
export class SaidError extends Error {}
const FULL = 507;

/** Returns a page of the server; throws where it cannot be had.
 * @param {URL} url @param {RequestInit} [options] @returns {Promise<PadPage>} */
export async function fromServer(url, options = {}) {
  try {
    const answer = await fetch(url, { ...options, signal: within(PATIENCE) });
    const isFull = answer.status === FULL && answer.headers.has("X-Tricky");
    if (isFull) throw new SaidError("full");
    if (!isPage(answer)) throw options.method && answer.redirected ? new SaidError("taken") : new Error(`no page of ours: ${answer.status}`);
    setAway(false);
    const page = { url: new URL(answer.url), text: await answer.text(), isGood: answer.ok };
    if (answer.ok && !options.method) keepPage(page).catch(() => {});
    return page;
  } catch (error) {
    setAway(!(error instanceof SaidError));
    throw error;
  }
}

/** Keeps a page that will be wanted; one that cannot be had now is kept another time.
 * @param {string} to */
export const keepAhead = async (to) => away || fromServer(toUrl(to)).then(keepPage).catch(() => {});

/* A page that was kept may carry a token of long ago; the cookie has the one that holds. */
const cookie = (/** @type {RegExp} */ name) => document.cookie.match(name)?.[1];
/* Beside the one of https there may be one from a time without. */
const token = () => cookie(/__Host-csrftoken=([^;]+)/) ?? cookie(/csrftoken=([^;]+)/) ?? "";

/** Sends a form to the server; returns the page that answers.
 * @param {URL} url @param {Fields} fields */
export async function postToServer(url, fields) {
  // Whoever cleared the cookies gets another with any page.
  if (!token()) await fromServer(toUrl("/pad/"));
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries({ ...fields, csrfmiddlewaretoken: token() })) {
    for (const value of [values].flat()) body.append(name, value);
  }
  return fromServer(url, { method: "POST", body });
}

/** Lets what htmx sends carry the token that holds. */
export function renewTokens() {
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!token()) return;
    detail.headers["X-CSRFToken"] = token();
    if (detail.formData.has("csrfmiddlewaretoken")) detail.formData.set("csrfmiddlewaretoken", token());
  });
}

/** Looks for the network now, at each sign of it, and while it is away. */
export function watchNetwork() {
  const isThere = (/** @type {Response} */ answer) => answer.ok && answer.headers.has("X-Tricky");
  const look = () =>
    fetch("/healthz", { cache: "no-store", signal: within(PATIENCE) })
      .then((answer) => setAway(!isThere(answer)), () => setAway(true));
  addEventListener("online", look);
  for (const sign of ["tricky:outbox", "htmx:sendError"]) document.addEventListener(sign, look);
  setInterval(() => away && !document.hidden && look(), PAUSE);
  return look();
}
