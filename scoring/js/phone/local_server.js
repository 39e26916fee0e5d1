/* The local server of this phone: Python in a worker, which answers requests like the server on the network. */

import { matchAddress, toUrl } from "./addresses.js";
import { readSnapshot } from "./store.js";

const START_TIMEOUT = 240000;
const CONTROLLER_TIMEOUT = 5000;

/** @type {Worker | undefined} */
let worker;
let calls = 0;
/** Unanswered calls by number. @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
const pendingCalls = new Map();

/** @param {string} name @param {unknown[]} args @returns {Promise<any>} */
function callWorker(name, ...args) {
  return new Promise((resolve, reject) => {
    calls += 1;
    pendingCalls.set(calls, { resolve, reject });
    worker?.postMessage({ id: calls, name, args });
  });
}

/** Whether it is ready. Until then entries are stored, but not scored. */
export let isReady = false;
/** Whether the last start failed. */
export let hasFailed = false;
/** @type {Promise<void> | undefined} */
let starting;

/** Deletes the memory that `worker.js` stored after an earlier start. */
export const deleteMemory = async () => window.caches?.delete("tricky-memory");

/** Starts the local server; resolves once it has loaded everything that this phone stores. */
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
  const call = pendingCalls.get(id);
  pendingCalls.delete(id);
  if (error === undefined) call?.resolve(value);
  else call?.reject(new Error(error));
}

async function startWorker() {
  await waitForController();
  const { worker: script = "", pyodide = "", pack = "" } = document.documentElement.dataset;
  worker = new Worker(script, { type: "module" });
  worker.addEventListener("message", handleAnswer);
  worker.addEventListener("error", ({ message }) => pendingCalls.forEach(({ reject }) => reject(new Error(message))));
  const timeout = new Promise((_, reject) => setTimeout(reject, START_TIMEOUT, new Error("it takes too long")));
  const startKind = await Promise.race([callWorker("start", { pyodide: toUrl(pyodide).href, pack: toUrl(pack).href }), timeout]);
  await loadMatches();
  isReady = true;
  hasFailed = false;
  document.documentElement.dataset.ready = startKind;
  document.dispatchEvent(new CustomEvent("tricky:ready"));
  // Otherwise the first page would wait for it.
  callWorker("lay_out").catch(console.warn);
}

/** The state of a match as the local server has loaded it, and its verdicts on entries since, by key.
 * @typedef {{ version?: number, state?: string, verdicts: Map<string, Omit<Verdict, "isBehind">> }} LoadedMatch */
/** @type {Map<string, LoadedMatch>} */
const loaded = new Map();

/** One task at a time, so that old data never arrives after new. @type {Promise<any>} */
let lastTask = Promise.resolve();
/** @template T @param {() => Promise<T>} action @returns {Promise<T>} */
const queueTask = (action) => (lastTask = lastTask.then(action, action));

/** The parts of a match that can change without a new version.
 * @param {HeldMatch | undefined} held */
const stateOf = (held) => JSON.stringify([held?.seats, held?.table, held?.closed]);

/** @param {string} address @param {HeldMatch | undefined} held */
const rememberMatch = (address, held) =>
  loaded.set(address, { version: held?.version, state: stateOf(held), verdicts: new Map() });

async function loadAll() {
  const { matches, entries } = await readSnapshot();
  const verdicts = JSON.parse(await callWorker("replace_held_matches", JSON.stringify({ matches, entries })));
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

/** @param {string} address @returns {LoadedMatch} */
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

/** Sends everything that this phone stores to the local server, or one match. A changed match is sent as a whole.
 * @param {string} [address] */
export const loadMatches = (address) => queueTask(() => (address ? loadMatch(address) : loadAll()));

/** Returns the verdict of the local server on an entry, or null if it does not know the entry. `isBehind` says whether
 * the page knew entries that this phone has not stored.
 * @param {Entry} entry @returns {Verdict | null} */
export function findVerdict({ address, key, base }) {
  const { version, verdicts } = loadedMatch(address);
  const verdict = verdicts.get(key);
  if (!verdict) return null;
  const before = [...verdicts.keys()].indexOf(key);
  return { ...verdict, isBehind: (base ?? 0) > (version ?? 0) + before };
}

/** Loads the match, then returns the verdict on an entry.
 * @param {Entry} entry */
export const validateEntry = (entry) => queueTask(() => loadMatch(entry.address).then(() => findVerdict(entry)));

/** Returns a page drawn from everything that this phone stores, and the version of its match on the server.
 * @param {string} method @param {string} path @param {Fields} [fields] @returns {Promise<LocalAnswer>} */
export const requestPage = (method, path, fields = {}, htmx = "") =>
  queueTask(async () => {
    const address = matchAddress({ pathname: path });
    // An outdated page is better than none.
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
