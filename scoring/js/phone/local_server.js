/* The server on this phone: Python in a worker, asked for pages like the one on the network. */

import { matchAddress, toUrl } from "./addresses.js";
import { readSnapshot } from "./store.js";

const START_TIMEOUT = 240000;
const CONTROLLER_TIMEOUT = 5000;

/** @type {Worker | undefined} */
let worker;
let calls = 0;
/** Calls without an answer yet, by number. @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
const pendingCalls = new Map();

/** @param {string} name @param {unknown[]} args @returns {Promise<any>} */
function callWorker(name, ...args) {
  return new Promise((resolve, reject) => {
    calls += 1;
    pendingCalls.set(calls, { resolve, reject });
    worker?.postMessage({ id: calls, name, args });
  });
}

/** Whether it answers. Until then entries are stored, but not scored. */
export let isReady = false;
/** Whether the last start failed. */
export let hasFailed = false;
/** @type {Promise<void> | undefined} */
let starting;

/** Deletes what `worker.js` stored of an earlier start. */
export const deleteMemory = async () => window.caches?.delete("tricky-memory");

/** Starts it; resolves once it knows all that this phone stores. */
export function startServer() {
  return (starting ??= startWorker().catch((error) => {
    starting = undefined;
    hasFailed = true;
    worker?.terminate();
    console.warn("The scorepad cannot run on this phone:", error);
    throw error;
  }));
}

/** Waits for the service worker, which caches what the worker fetches.
 * @returns {Promise<unknown> | undefined} */
function waitForController() {
  if (!navigator.serviceWorker || navigator.serviceWorker.controller) return undefined;
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    setTimeout(resolve, CONTROLLER_TIMEOUT);
  });
}

/** @param {MessageEvent<{ id: number, value: unknown, error?: string }>} event */
function handleAnswer({ data: { id, value, error } }) {
  const question = pendingCalls.get(id);
  pendingCalls.delete(id);
  if (error === undefined) question?.resolve(value);
  else question?.reject(new Error(error));
}

async function startWorker() {
  await waitForController();
  const { worker: script = "", pyodide = "", pack = "" } = document.documentElement.dataset;
  worker = new Worker(script, { type: "module" });
  worker.addEventListener("message", handleAnswer);
  worker.addEventListener("error", ({ message }) => pendingCalls.forEach(({ reject }) => reject(new Error(message))));
  const slow = new Promise((_, reject) => setTimeout(reject, START_TIMEOUT, new Error("it takes too long")));
  const how = await Promise.race([callWorker("begin", { pyodide: toUrl(pyodide).href, pack: toUrl(pack).href }), slow]);
  await loadMatches();
  isReady = true;
  hasFailed = false;
  document.documentElement.dataset.ready = how;
  document.dispatchEvent(new CustomEvent("tricky:ready"));
  // Its first page would wait for that.
  callWorker("lay_out").catch(console.warn);
}

/** What it knows of a match, and its verdict on each entry since, by key.
 * @typedef {{ version?: number, state?: string, verdicts: Map<string, Omit<Verdict, "isBehind">> }} Told */
/** @type {Map<string, Told>} */
const loaded = new Map();

/** One task at a time, so that it never gets old data after new. @type {Promise<any>} */
let lastTask = Promise.resolve();
/** @template T @param {() => Promise<T>} action @returns {Promise<T>} */
const queueTask = (action) => (lastTask = lastTask.then(action, action));

/** What can change while the version stays.
 * @param {HeldMatch | undefined} held */
const stateOf = (held) => JSON.stringify([held?.seats, held?.table, held?.closed]);

/** @param {string} address @param {HeldMatch | undefined} held */
const rememberMatch = (address, held) =>
  loaded.set(address, { version: held?.version, state: stateOf(held), verdicts: new Map() });

async function loadAll() {
  const { matches, entries } = await readSnapshot();
  const verdicts = JSON.parse(await callWorker("hold", JSON.stringify({ matches, entries })));
  loaded.clear();
  for (const held of matches) rememberMatch(held.address, held);
  entries.forEach((entry, place) => rememberVerdict(entry, verdicts[place]));
}

/** @param {Entry} entry @param {Verdict} verdict */
function rememberVerdict({ address, key }, verdict) {
  const match = loadedMatch(address);
  loaded.set(address, match);
  match.verdicts.set(key, verdict);
}

/** @param {string} address @returns {Told} */
const loadedMatch = (address) => loaded.get(address) ?? { verdicts: new Map() };

/** @param {string} address */
async function loadMatch(address) {
  const { matches: [held], entries } = await readSnapshot(address);
  const { version, state, verdicts } = loadedMatch(address);
  const isSame = [...verdicts.keys()].every((key, place) => entries[place]?.key === key);
  if (held?.version !== version || stateOf(held) !== state || !isSame) {
    const answers = JSON.parse(await callWorker("refresh_match", JSON.stringify({ ...held, address, entries })));
    rememberMatch(address, held);
    return entries.forEach((entry, place) => rememberVerdict(entry, answers[place]));
  }
  for (const entry of entries.slice(verdicts.size)) {
    rememberVerdict(entry, JSON.parse(await callWorker("deliver", address, JSON.stringify(entry))));
  }
}

async function loadKnown() {
  for (const { address } of (await readSnapshot()).matches) await loadMatch(address);
}

/** Sends it what this phone stores: everything, or one match. A match that changed is sent as a whole.
 * @param {string} [address] */
export const loadMatches = (address) => queueTask(() => (address ? loadMatch(address) : loadAll()));

/** Returns its verdict on an entry, and whether the page knew entries that this phone does not store;
 * null if it does not know the entry.
 * @param {Entry} entry @returns {Verdict | null} */
export function findVerdict({ address, key, base }) {
  const { version, verdicts } = loadedMatch(address);
  const verdict = verdicts.get(key);
  if (!verdict) return null;
  const before = [...verdicts.keys()].indexOf(key);
  return { ...verdict, isBehind: (base ?? 0) > (version ?? 0) + before };
}

/** Returns its verdict on an entry, after sending what is new of the match.
 * @param {Entry} entry */
export const validateEntry = (entry) => queueTask(() => loadMatch(entry.address).then(() => findVerdict(entry)));

/** Returns a page drawn from all that this phone stores, and the version of its match on the server.
 * @param {string} method @param {string} path @param {Fields} [fields] @returns {Promise<LocalAnswer>} */
export const requestPage = (method, path, fields = {}, htmx = "") =>
  queueTask(async () => {
    const address = matchAddress({ pathname: path });
    // A page of older data is better than none.
    await (address ? loadMatch(address) : loadKnown()).catch(console.warn);
    const page = JSON.parse(await callWorker("answer", method, path, JSON.stringify(fields), htmx));
    return { ...page, held: loadedMatch(address ?? "").version ?? 0 };
  });

/** Returns the record of a match, as JSON.
 * @param {string} address */
export const fetchRecord = (address) => callWorker("record", address);

/** Returns the scores of a record, as JSON.
 * @param {string} record */
export const scoreRecord = (record) => callWorker("score", record);
