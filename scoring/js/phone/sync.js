/* Sends the queue to the server, in order, until it confirms each entry.

   Only an answer of our own counts, with our content type and the entry's key: the sign-in
   page of a café's network answers 200 as well. */

import { phoneName } from "../keys.js";
import { block, canSend, countEntries, serverHandNumbers } from "./queue.js";
import { dequeue, findMatch, queuedEntries, removeEntry, saveMatch, unsentEntries, updateEntry } from "./store.js";
import { timeoutSignal } from "./timeouts.js";

const TYPE = "application/vnd.tricky+json";
const SEND_TIMEOUT = 8000;
const LONGEST_DELAY = 60000;
const LOOK_INTERVAL = 15000; // milliseconds between two looks at what waits

let delay = 0;
let timer = 0;

/* There is no network, for the next entry either. */
class AwayError extends Error {}

/** Announces that the queue has changed. */
export const announceOutbox = () => document.dispatchEvent(new CustomEvent("tricky:outbox"));

/** One tab at a time; where the browser knows no locks, one turn at a time in this tab. @type {Promise<any>} */
let lastSend = Promise.resolve();
/** @template T @param {() => Promise<T>} action @returns {Promise<T>} */
const withLock = (action) =>
  navigator.locks ? navigator.locks.request("tricky-outbox", action) : (lastSend = lastSend.then(action, action));

/** @param {string} path @param {RequestInit} [options] */
async function requestAnswer(path, options = {}) {
  const asked = fetch(path, { ...options, cache: "no-store", signal: timeoutSignal(SEND_TIMEOUT) });
  const response = await asked.catch((error) => Promise.reject(new AwayError(error.message)));
  if (response.headers.get("Content-Type") !== TYPE) throw new Error("not an answer of ours");
  return { status: response.status, answer: await response.json() };
}

/** @param {Error} error */
const rethrowIfAway = (error) => (error instanceof AwayError ? Promise.reject(error) : { status: 0, answer: null });

/** Fetches and stores a match; null if it cannot be had. A phone without room for it can still send.
 * @param {string} address @returns {Promise<HeldMatch | null>} */
export async function fetchMatch(address) {
  const { status, answer } = await requestAnswer(`/m/${address}/held.json`).catch(rethrowIfAway);
  if (status !== 200 || answer.address !== address) return null;
  await saveMatch(answer).catch(console.warn);
  await removeObsoleteContracts(answer);
  await reportLetGo(answer).catch(console.warn);
  return answer;
}

/* The desk still counts entries that this phone let go: nothing that it sent since said so. */
/** @param {HeldMatch} match */
async function reportLetGo({ address, token, kept = {} }) {
  const phone = phoneName();
  const waiting = countEntries(await queuedEntries(address));
  if (!token || waiting >= (kept[phone] ?? 0)) return;
  await requestAnswer(`/m/${address}/waiting/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Seat-Token": token },
    body: JSON.stringify({ phone, waiting }),
  });
}

/* A hand that was saved while it was played, and refused, is of no use once the hand is there. */
/** @param {HeldMatch} match */
async function removeObsoleteContracts(match) {
  const entered = new Set(serverHandNumbers(match));
  const refused = (await queuedEntries(match.address)).filter(({ kind, state }) => kind === "contract" && state);
  const useless = refused.filter(({ number = 0 }) => entered.has(number));
  for (const { key } of useless) await removeEntry(key);
  if (useless.length) announceOutbox();
}

/** Sends an entry; returns what the server answers to it.
 * @param {QueuedEntry} queued @returns {Promise<{ status: number, answer: Answer }>} */
async function postEntry({ address, order, state, faults, ...entry }) {
  const held = (await findMatch(address)) ?? (entry.kind === "start" ? null : await fetchMatch(address));
  const others = (await unsentEntries(address)).filter(({ key }) => key !== entry.key);
  const { status, answer } = await requestAnswer(`/m/${address}/entries/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Seat-Token": held?.token ?? "" },
    body: JSON.stringify({ ...entry, waiting: countEntries(others) }),
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
async function sendEntry(entry, isFirstTry = true) {
  const { status, answer } = await postEntry(entry);
  if (status === 401 && isFirstTry && (await fetchMatch(entry.address))) return sendEntry(entry, false);
  const outcome = OUTCOMES[status];
  if (!outcome) throw new Error(`the server answers ${status}`);
  if (outcome === "refused" || outcome === "gone") {
    await updateEntry({ ...entry, state: outcome, faults: answer.faults ?? [{ message: answer.message ?? "" }] });
    return outcome;
  }
  // What follows shows the token of the match that has just begun.
  if (entry.kind === "start") await fetchMatch(entry.address);
  await dequeue(entry, answer.version ?? 0);
  return outcome;
}

/** Asks hands again that were refused because another came first, when that one is there. Returns
 * whether there are any.
 * @param {Entry} saved */
async function retryLaterHands({ address, kind, number = 0 }) {
  if (kind !== "enter") return false;
  const isBehind = (/** @type {QueuedEntry} */ entry) => entry.state && entry.kind === "enter" && (entry.number ?? 0) > number;
  const behind = (await queuedEntries(address)).filter(isBehind);
  for (const { state, faults, ...entry } of behind) await updateEntry(entry);
  return behind.length > 0;
}

/** What came of sending everything: the matches that changed, whether something could not be sent,
 * and whether something that was refused is to be asked again.
 * @typedef {{ touched: Set<string>, hasFailed: boolean, asksAgain: boolean }} Sent */

/** Sends what waits and notes by key what became of each. An entry about which nothing can be done
 * now blocks no other match.
 * @param {Record<string, string>} outcomes @returns {Promise<Sent>} */
async function sendEntries(outcomes) {
  const holdups = new Map();
  /** @type {Sent} */
  const sent = { touched: new Set(), hasFailed: false, asksAgain: false };
  for (const entry of await queuedEntries()) {
    if (entry.state) block(holdups, entry, entry.state);
    if (entry.state || !canSend(holdups, entry)) continue;
    try {
      const outcome = (outcomes[entry.key] = await sendEntry(entry));
      sent.touched.add(entry.address);
      if (outcome === "saved") sent.asksAgain = (await retryLaterHands(entry)) || sent.asksAgain;
      if (outcome === "refused" || outcome === "gone") block(holdups, entry, outcome);
    } catch (error) {
      sent.hasFailed = true;
      if (error instanceof AwayError) break;
      holdups.set(entry.address, 0);
    }
  }
  return sent;
}

/** @param {Error} error @returns {Sent} */
const reportUnreadable = (error) => {
  console.warn("Not read:", error);
  return { touched: new Set(), hasFailed: true, asksAgain: false };
};

/** Sends everything that waits; returns by key what became of it.
 * @returns {Promise<Record<string, string>>} */
export function sendQueue() {
  clearTimeout(timer);
  return withLock(async () => {
    /** @type {Record<string, string>} */
    const outcomes = {};
    const { touched, hasFailed, asksAgain } = await sendEntries(outcomes).catch(reportUnreadable);
    delay = hasFailed ? Math.min(LONGEST_DELAY, Math.max(1000, delay * 2)) : 0;
    if (hasFailed) timer = window.setTimeout(sendQueue, delay * (1 + 0.3 * Math.random()));
    else if (asksAgain) timer = window.setTimeout(sendQueue);
    if (touched.size) announceOutbox();
    // The stored matches have to include what was just sent.
    Promise.allSettled([...touched].map(fetchMatch));
    return outcomes;
  });
}

/** Sends what waits now, and at each sign of a network. */
export function startSync() {
  const send = () => document.hidden || sendQueue().catch(console.warn);
  for (const wakes of ["online", "focus", "pageshow"]) addEventListener(wakes, send);
  document.addEventListener("visibilitychange", send);
  setInterval(async () => (await queuedEntries().catch(() => [])).length && send(), LOOK_INTERVAL);
  addEventListener("beforeunload", (event) => {
    if (document.documentElement.dataset.waiting) event.preventDefault();
  });
  send();
}
