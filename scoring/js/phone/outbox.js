/* The outbox: what was kept goes to the server, in order, until it says that it has it.

   Only an answer of our own counts, with our content type and the entry's key: the sign-in
   page of a café's network answers 200 as well. */

import { numbersOnServer } from "./entries.js";
import { holdUp, mayPass } from "./holdups.js";
import { change, going, heldMatch, holdMatch, release, releaseKey, waiting } from "./kept.js";
import { within } from "./patience.js";

const TYPE = "application/vnd.tricky+json";
const PATIENCE = 8000;
const SLOWEST = 60000;
const LOOK = 15000; // milliseconds between two looks at what waits

let delay = 0;
let timer = 0;

/* No answer at all, which the next entry would not have either. */
class AwayError extends Error {}

/** Tells the page that what is kept on this phone is something else now. */
export const tell = () => document.dispatchEvent(new CustomEvent("tricky:outbox"));

/** One tab at a time; where the browser knows no locks, one turn at a time in this tab. @type {Promise<any>} */
let turn = Promise.resolve();
/** @template T @param {() => Promise<T>} act @returns {Promise<T>} */
const alone = (act) =>
  navigator.locks ? navigator.locks.request("tricky-outbox", act) : (turn = turn.then(act, act));

/** @param {string} path @param {RequestInit} [options] */
async function request(path, options = {}) {
  const asked = fetch(path, { ...options, cache: "no-store", signal: within(PATIENCE) });
  const response = await asked.catch((error) => Promise.reject(new AwayError(error.message)));
  if (response.headers.get("Content-Type") !== TYPE) throw new Error("not an answer of ours");
  return { status: response.status, answer: await response.json() };
}

/** @param {Error} error */
const unlessAway = (error) => (error instanceof AwayError ? Promise.reject(error) : { status: 0, answer: null });

/** Fetches what this phone needs to go on with a match; null where it cannot be had. A phone
 * without room for it can still send.
 * @param {string} address @returns {Promise<HeldMatch | null>} */
export async function fetchMatch(address) {
  const { status, answer } = await request(`/m/${address}/held.json`).catch(unlessAway);
  if (status !== 200 || answer.address !== address) return null;
  await holdMatch(answer).catch(console.warn);
  await letGoBegun(answer);
  return answer;
}

/* What this phone kept of a hand by itself, and the server refused, is of no use once the hand is there. */
/** @param {HeldMatch} match */
async function letGoBegun(match) {
  const entered = new Set(numbersOnServer(match));
  const refused = (await waiting(match.address)).filter(({ kind, state }) => kind === "contract" && state);
  const useless = refused.filter(({ number = 0 }) => entered.has(number));
  for (const { key } of useless) await releaseKey(key);
  if (useless.length) tell();
}

/** Sends an entry; returns what the server answers to it.
 * @param {QueuedEntry} queued @returns {Promise<{ status: number, answer: Answer }>} */
async function deliver({ address, order, state, faults, ...entry }) {
  const held = (await heldMatch(address)) ?? (entry.kind === "start" ? null : await fetchMatch(address));
  const { status, answer } = await request(`/m/${address}/entries/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Seat-Token": held?.token ?? "" },
    body: JSON.stringify({ ...entry, waiting: (await going(address)).length - 1 }),
  });
  // What cannot be read has no key.
  if (answer.key !== entry.key && status !== 400) throw new Error("an answer to something else");
  return { status, answer };
}

/** What becomes of an entry, by the status of the answer.
 * @type {Record<number, "saved" | "beside" | "refused" | "gone">} */
const OUTCOMES = { 200: "saved", 409: "beside", 400: "refused", 422: "refused", 401: "gone", 410: "gone" };

/** Returns what became of an entry: saved, beside (another phone was quicker), refused, or
 * gone; throws where the server could not be reached.
 * @param {QueuedEntry} entry @returns {Promise<string>} */
async function settle(entry, isFirstTry = true) {
  const { status, answer } = await deliver(entry);
  if (status === 401 && isFirstTry && (await fetchMatch(entry.address))) return settle(entry, false);
  const outcome = OUTCOMES[status];
  if (!outcome) throw new Error(`the server answers ${status}`);
  if (outcome === "refused" || outcome === "gone") {
    await change({ ...entry, state: outcome, faults: answer.faults ?? [{ message: answer.message ?? "" }] });
    return outcome;
  }
  // What follows shows the token of the match that has just begun.
  if (entry.kind === "start") await fetchMatch(entry.address);
  await release(entry, answer.version ?? 0);
  return outcome;
}

/** Asks hands again that were refused because another came first, when that one is there. Returns
 * whether there are any.
 * @param {Entry} saved */
async function askAgain({ address, kind, number = 0 }) {
  if (kind !== "enter") return false;
  const isBehind = (/** @type {QueuedEntry} */ entry) => entry.state && entry.kind === "enter" && (entry.number ?? 0) > number;
  const behind = (await waiting(address)).filter(isBehind);
  for (const { state, faults, ...entry } of behind) await change(entry);
  return behind.length > 0;
}

/** What came of sending everything: the matches that changed, whether something could not be sent,
 * and whether something that was refused is to be asked again.
 * @typedef {{ touched: Set<string>, hasFailed: boolean, asksAgain: boolean }} Sent */

/** Sends what waits and notes by key what became of each. An entry about which nothing can be done
 * now holds up no other match.
 * @param {Record<string, string>} outcomes @returns {Promise<Sent>} */
async function sendAll(outcomes) {
  const holdups = new Map();
  /** @type {Sent} */
  const sent = { touched: new Set(), hasFailed: false, asksAgain: false };
  for (const entry of await waiting()) {
    if (entry.state) holdUp(holdups, entry, entry.state);
    if (entry.state || !mayPass(holdups, entry)) continue;
    try {
      const outcome = (outcomes[entry.key] = await settle(entry));
      sent.touched.add(entry.address);
      if (outcome === "saved") sent.asksAgain = (await askAgain(entry)) || sent.asksAgain;
      if (outcome === "refused" || outcome === "gone") holdUp(holdups, entry, outcome);
    } catch (error) {
      sent.hasFailed = true;
      if (error instanceof AwayError) break;
      holdups.set(entry.address, 0);
    }
  }
  return sent;
}

/** @param {Error} error @returns {Sent} */
const notRead = (error) => {
  console.warn("Not read:", error);
  return { touched: new Set(), hasFailed: true, asksAgain: false };
};

/** Sends everything that waits; returns by key what became of it.
 * @returns {Promise<Record<string, string>>} */
export function drain() {
  clearTimeout(timer);
  return alone(async () => {
    /** @type {Record<string, string>} */
    const outcomes = {};
    const { touched, hasFailed, asksAgain } = await sendAll(outcomes).catch(notRead);
    delay = hasFailed ? Math.min(SLOWEST, Math.max(1000, delay * 2)) : 0;
    if (hasFailed) timer = window.setTimeout(drain, delay * (1 + 0.3 * Math.random()));
    else if (asksAgain) timer = window.setTimeout(drain);
    if (touched.size) tell();
    // What this phone holds to go on with is what it has just told the server, and more.
    Promise.allSettled([...touched].map(fetchMatch));
    return outcomes;
  });
}

/** Sends what waits now, and at each sign of a network. */
export function startOutbox() {
  const send = () => document.hidden || drain().catch(console.warn);
  for (const wakes of ["online", "focus", "pageshow"]) addEventListener(wakes, send);
  document.addEventListener("visibilitychange", send);
  setInterval(async () => (await waiting().catch(() => [])).length && send(), LOOK);
  addEventListener("beforeunload", (event) => {
    if (document.documentElement.dataset.waiting) event.preventDefault();
  });
  send();
}
