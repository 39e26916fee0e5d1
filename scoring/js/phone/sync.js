/* Sends the queue to the server, in order, until it confirms each entry.

   Only an answer of our own counts, with our content type and the entry's key: the sign-in
   page of a café's network answers 200 as well. */

import { listen } from "../browser.js";
import { phoneName } from "../keys.js";
import { block, canSend, countEntries, serverHandNumbers } from "./queue.js";
import { announceOutbox, dequeue, findMatch, queuedEntries, removeEntry, saveMatch, unsentEntries, updateEntry } from "./store.js";

const TYPE = "application/vnd.tricky+json";
const SEND_TIMEOUT = 8000;
const LONGEST_DELAY = 60000;
const RETRY_INTERVAL = 15000; // milliseconds

let delay = 0;
let timer = 0;

/* There is no network, so that the next entry would fail as well. */
class AwayError extends Error {}

/** Only one tab sends at a time. Without locks in the browser, at least this tab sends once at a time. @type {Promise<any>} */
let lastSend = Promise.resolve();
/** @template T @param {() => Promise<T>} action @returns {Promise<T>} */
const withLock = (action) =>
  navigator.locks ? navigator.locks.request("tricky-outbox", action) : (lastSend = lastSend.then(action, action));

/** @param {string} path @param {RequestInit} [options] */
async function requestAnswer(path, options) {
  const request = fetch(path, { ...options, cache: "no-store", signal: AbortSignal.timeout(SEND_TIMEOUT) });
  const response = await request.catch((error) => Promise.reject(new AwayError(error.message)));
  if (response.headers.get("Content-Type") !== TYPE) throw new Error("not an answer of ours");
  return { status: response.status, answer: await response.json() };
}

/** @param {string} path @param {string} token of the seat @param {object} content */
const postJson = (path, token, content) =>
  requestAnswer(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Seat-Token": token },
    body: JSON.stringify(content),
  });

/** @param {Error} error */
const rethrowIfAway = (error) => (error instanceof AwayError ? Promise.reject(error) : { status: 0, answer: null });

/** Fetches and stores a match. Returns null if it is not available. A phone without room for it can still send.
 * @param {string} address @returns {Promise<HeldMatch | null>} */
export async function fetchMatch(address) {
  const { status, answer } = await requestAnswer(`/m/${address}/held.json`).catch(rethrowIfAway);
  if (status !== 200 || answer.address !== address) return null;
  await saveMatch(answer).catch(console.warn);
  await removeObsoleteContracts(answer);
  await reportQueueLength(answer).catch(console.warn);
  return answer;
}

/* The desk may still count entries that this phone has discarded. */
/** @param {HeldMatch} match */
async function reportQueueLength({ address, token, kept = {} }) {
  const phone = phoneName();
  const waiting = countEntries(await queuedEntries(address));
  if (token && waiting < (kept[phone] ?? 0)) await postJson(`/m/${address}/waiting/`, token, { phone, waiting });
}

/* A refused partial hand is obsolete once the hand is entered. */
/** @param {HeldMatch} match */
async function removeObsoleteContracts(match) {
  const entered = new Set(serverHandNumbers(match));
  const refused = (await queuedEntries(match.address)).filter(({ kind, state }) => kind === "contract" && state);
  const obsolete = refused.filter(({ number = 0 }) => entered.has(number));
  for (const { key } of obsolete) await removeEntry(key);
  if (obsolete.length) announceOutbox();
}

/** @param {QueuedEntry} queued @returns {Promise<{ status: number, answer: Answer }>} */
async function postEntry({ address, order, state, faults, ...entry }) {
  const held = (await findMatch(address)) ?? (entry.kind === "start" ? null : await fetchMatch(address));
  const others = (await unsentEntries(address)).filter(({ key }) => key !== entry.key);
  const { status, answer } = await postJson(`/m/${address}/entries/`, held?.token ?? "", { ...entry, waiting: countEntries(others) });
  // The answer to an unreadable entry has no key.
  if (answer.key !== entry.key && status !== 400) throw new Error("an answer to something else");
  return { status, answer };
}

/** Outcomes by the status of the answer.
 * @type {Record<number, "saved" | "conflict" | "refused" | "gone">} */
const OUTCOMES = { 200: "saved", 409: "conflict", 400: "refused", 422: "refused", 401: "gone", 410: "gone" };

/** Sends an entry and returns its outcome: saved, conflict (another phone was quicker), refused, or gone. Throws if the
 * server cannot be reached.
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
  // Later entries need the token of the new match.
  if (entry.kind === "start") await fetchMatch(entry.address);
  await dequeue(entry, answer.version ?? 0);
  return outcome;
}

/** Lets later hands be sent again that were refused because this one was missing. Returns whether there are any.
 * @param {Entry} saved */
async function retryLaterHands({ address, kind, number = 0 }) {
  if (kind !== "enter") return false;
  const isBehind = (/** @type {QueuedEntry} */ entry) => entry.state && entry.kind === "enter" && (entry.number ?? 0) > number;
  const behind = (await queuedEntries(address)).filter(isBehind);
  for (const { state, faults, ...entry } of behind) await updateEntry(entry);
  return behind.length > 0;
}

/** Sends the queue, and adds the outcome of each entry by its key, and what happened. An entry that fails does not block
 * other matches.
 * @param {{ outcomes: Record<string, string>, changedMatches: Set<string>, hasFailed: boolean, needsRetry: boolean }} result
 * `needsRetry` if refused entries have to be sent again */
async function sendEntries(result) {
  const blockers = new Map();
  for (const entry of await queuedEntries()) {
    if (entry.state) block(blockers, entry, entry.state);
    if (entry.state || !canSend(blockers, entry)) continue;
    try {
      const outcome = (result.outcomes[entry.key] = await sendEntry(entry));
      result.changedMatches.add(entry.address);
      if (outcome === "saved") result.needsRetry = (await retryLaterHands(entry)) || result.needsRetry;
      if (outcome === "refused" || outcome === "gone") block(blockers, entry, outcome);
    } catch (error) {
      result.hasFailed = true;
      if (error instanceof AwayError) break;
      blockers.set(entry.address, 0);
    }
  }
}

/** Sends the queue; returns the outcomes by key.
 * @returns {Promise<Record<string, string>>} */
export function sendQueue() {
  clearTimeout(timer);
  return withLock(async () => {
    const result = { outcomes: {}, changedMatches: new Set(), hasFailed: false, needsRetry: false };
    await sendEntries(result).catch((error) => {
      console.warn("Not read:", error);
      result.hasFailed = true;
    });
    const { outcomes, changedMatches, hasFailed, needsRetry } = result;
    delay = hasFailed ? Math.min(LONGEST_DELAY, Math.max(1000, delay * 2)) : 0;
    if (hasFailed) timer = window.setTimeout(sendQueue, delay * (1 + 0.3 * Math.random()));
    else if (needsRetry) timer = window.setTimeout(sendQueue);
    if (changedMatches.size) announceOutbox();
    // The stored matches have to include what was just sent.
    Promise.allSettled([...changedMatches].map(fetchMatch));
    return outcomes;
  });
}

/** Sends the queue now, and whenever there may be a network. */
export function startSync() {
  const send = () => document.hidden || sendQueue().catch(console.warn);
  for (const name of ["online", "focus", "pageshow"]) addEventListener(name, send);
  listen("visibilitychange", send);
  setInterval(async () => (await queuedEntries().catch(() => [])).length && send(), RETRY_INTERVAL);
  addEventListener("beforeunload", (event) => {
    if (document.documentElement.dataset.queuedEntries) event.preventDefault();
  });
  send();
}
