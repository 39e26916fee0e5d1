/* The local server of this phone: Python in a worker, which answers requests like the server on the network. It takes some
   hundred megabytes of memory, so it only starts if the phone is a scorer and lost the network lately, or if somebody asked
   for it. */

import { announce, find, findAll, findTapped, listen, onEachPage, readStorage, writeStorage } from "../browser.js";
import { matchAddress, toUrl } from "./addresses.js";
import { readSnapshot } from "./store.js";

const WANTED = "tricky-offline-wanted";
const LOST_AT = "tricky-network-lost-at";
const WROTE_AT = "tricky-wrote-at";
const STARTING = "tricky-offline-starting";
const RECENT = 24 * 60 * 60 * 1000; // milliseconds
const SCORER_ELEMENTS = "form[data-entry-kind], #sheet [data-new-hand-link]:not([hidden])";
const START_TIMEOUT = 240000;
const CONTROLLER_TIMEOUT = 5000;

/** @type {Worker | undefined} */
let worker;
let calls = 0;
/** Unanswered calls by number. @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
const pendingCalls = new Map();

/** Calls a function of scoring/offline/server.py.
 * @param {string} name @param {unknown[]} args @returns {Promise<any>} */
export function callWorker(name, ...args) {
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
let isStarting = false;

/* A mark in storage tells the next page if this one crashes while the server starts. */
async function startMarked() {
  const hadCrashed = hasCrashed();
  isStarting = true;
  writeStorage(STARTING, "1");
  try {
    // The memory that worker.js stored after an earlier start may be what crashes.
    if (hadCrashed) await window.caches?.delete("tricky-memory");
    await startWorker();
  } finally {
    isStarting = false;
    writeStorage(STARTING, "");
  }
}

/** Starts the local server; resolves once it has loaded everything that this phone stores. */
export function startServer() {
  return (starting ??= startMarked().catch((error) => {
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
  announce("tricky:ready");
  // Otherwise the first page would wait for it.
  callWorker("extract_data_files").catch(console.warn);
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

/* When it starts. */

export const recordNetworkLoss = () => writeStorage(LOST_AT, String(Date.now()));

export const recordWriting = () => writeStorage(WROTE_AT, String(Date.now()));

const isWanted = () => readStorage(WANTED) === "1";
const wasRecently = (/** @type {string} */ name) => Date.now() - Number(readStorage(name)) < RECENT;
/* Whether a page crashed while the server started: then no other page tries again automatically. Read each time, because
   a page that is left removes its mark so late that the next page may not see that at once. */
const hasCrashed = () => !isStarting && Boolean(readStorage(STARTING));

/** Whether the server may start automatically on this page. */
export const canStartByItself = () => !hasCrashed() && (isWanted() || (wasRecently(LOST_AT) && find(document, SCORER_ELEMENTS) !== null));

/** Whether the server may start for a page that is not cached. Not for a match that the phone only watches.
 * @param {URL | Location} url */
export const canStartFor = (url) => matchAddress(url) === undefined || isWanted() || wasRecently(WROTE_AT);

/** Whether the server failed to start on this phone. */
export const cannotRun = () => !isReady && (hasCrashed() || hasFailed);

/** Caches the files of the server on the phone of a scorer, so that it can start without a network. This takes some
 * megabytes of the browser's cache, but no memory. */
export async function prefetchParts() {
  if (!navigator.serviceWorker?.controller || find(document, SCORER_ELEMENTS) === null) return;
  const { pyodide = "", pack = "" } = document.documentElement.dataset;
  const parts = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];
  for (const part of [pack, ...parts.map((name) => pyodide + name)]) await fetch(part).then((answer) => answer.arrayBuffer());
}

/** Whether the page is being left. Then aborted requests say nothing about the network, and nothing starts. */
export let isLeaving = false;
addEventListener("pagehide", () => {
  isLeaving = true;
  if (isStarting) writeStorage(STARTING, "");
});
addEventListener("pageshow", () => (isLeaving = false));

/** Starts the server unless a page crashed while it started. */
export const startIfSafe = () =>
  isLeaving || hasCrashed() ? Promise.reject(new Error("a page was left or crashed while it started")) : startServer();

/** Shows the state of the server, and a button to start it. */
export function startReadiness() {
  const show = onEachPage("tricky:drawn tricky:ready", () => {
    for (const place of findAll(document, "[data-offline]")) {
      const { readyText = "", loadingText = "", failedText = "" } = place.dataset;
      const button = find(place, "button");
      const line = find(place, "[role=status]");
      place.hidden = false;
      if (button) button.hidden = isReady || isStarting;
      if (line) line.textContent = isReady ? readyText : isStarting ? loadingText : cannotRun() ? failedText : "";
    }
  });
  listen("click", (event) => {
    if (!findTapped(event, "[data-offline] button")) return;
    writeStorage(WANTED, "1");
    startServer().catch(() => {}).finally(show);
    show();
  });
}
