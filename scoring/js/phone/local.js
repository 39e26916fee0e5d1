/* The server on this phone, asked as one asks the one on the network. */

import { addressOf, toUrl } from "./addresses.js";
import { known } from "./kept.js";

const SLOWEST = 240000;
const CONTROLLED = 5000;

/** @type {Worker | undefined} */
let worker;
let questions = 0;
/** Those who wait for an answer. @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
const asked = new Map();

/** @param {string} name @param {unknown[]} args @returns {Promise<any>} */
function ask(name, ...args) {
  return new Promise((resolve, reject) => {
    questions += 1;
    asked.set(questions, { resolve, reject });
    worker?.postMessage({ id: questions, name, args });
  });
}

/** Whether it answers at once. Until then whatever is entered is kept, and not yet scored. */
export let ready = false;
/** Whether it did not start when it was last tried. */
export let hasFailed = false;
/** @type {Promise<void> | undefined} */
let begun;

/** Lets it start from nothing: drops what `worker.js` has kept of an earlier start. */
export const forgetMemory = async () => window.caches?.delete("tricky-memory");

/** Starts it; resolves once it holds what this phone holds. */
export function begin() {
  return (begun ??= start().catch((error) => {
    begun = undefined;
    hasFailed = true;
    worker?.terminate();
    console.warn("The scorepad cannot run on this phone:", error);
    throw error;
  }));
}

/** What a worker fetches is kept only where the service worker is there already.
 * @returns {Promise<unknown> | undefined} */
function controlled() {
  if (!navigator.serviceWorker || navigator.serviceWorker.controller) return undefined;
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    setTimeout(resolve, CONTROLLED);
  });
}

/** @param {MessageEvent<{ id: number, value: unknown, error?: string }>} event */
function hear({ data: { id, value, error } }) {
  const question = asked.get(id);
  asked.delete(id);
  if (error === undefined) question?.resolve(value);
  else question?.reject(new Error(error));
}

async function start() {
  await controlled();
  const { worker: script = "", pyodide = "", pack = "" } = document.documentElement.dataset;
  worker = new Worker(script, { type: "module" });
  worker.addEventListener("message", hear);
  worker.addEventListener("error", ({ message }) => asked.forEach(({ reject }) => reject(new Error(message))));
  const slow = new Promise((_, reject) => setTimeout(reject, SLOWEST, new Error("it takes too long")));
  const how = await Promise.race([ask("begin", { pyodide: toUrl(pyodide).href, pack: toUrl(pack).href }), slow]);
  await hold();
  ready = true;
  hasFailed = false;
  document.documentElement.dataset.ready = how;
  document.dispatchEvent(new CustomEvent("tricky:ready"));
  // Its first page would wait for that.
  ask("lay_out").catch(console.warn);
}

/** What it was told last of a match, and by key what it made of the entries since.
 * @typedef {{ version?: number, seats?: string, verdicts: Map<string, Omit<Verdict, "isBehind">> }} Told */
/** @type {Map<string, Told>} */
const told = new Map();

/** It is told in turn: what was read later is not told earlier. @type {Promise<any>} */
let turn = Promise.resolve();
/** @template T @param {() => Promise<T>} act @returns {Promise<T>} */
const inTurn = (act) => (turn = turn.then(act, act));

/** @param {string} address @param {HeldMatch | undefined} held */
const noteHeld = (address, held) =>
  told.set(address, { version: held?.version, seats: JSON.stringify(held?.seats), verdicts: new Map() });

async function tellAll() {
  const { matches, entries } = await known();
  const verdicts = JSON.parse(await ask("hold", JSON.stringify({ matches, entries })));
  told.clear();
  for (const held of matches) noteHeld(held.address, held);
  entries.forEach((entry, place) => note(entry, verdicts[place]));
}

/** @param {Entry} entry @param {Verdict} verdict */
function note({ address, key }, verdict) {
  const match = toldOf(address);
  told.set(address, match);
  match.verdicts.set(key, verdict);
}

/** @param {string} address @returns {Told} */
const toldOf = (address) => told.get(address) ?? { verdicts: new Map() };

/** @param {string} address */
async function tellRest(address) {
  const { matches: [held], entries } = await known(address);
  const { version, seats, verdicts } = toldOf(address);
  const isSame = [...verdicts.keys()].every((key, place) => entries[place]?.key === key);
  if (held?.version !== version || JSON.stringify(held?.seats) !== seats || !isSame) {
    const answers = JSON.parse(await ask("hold_again", JSON.stringify({ ...held, address, entries })));
    noteHeld(address, held);
    return entries.forEach((entry, place) => note(entry, answers[place]));
  }
  for (const entry of entries.slice(verdicts.size)) {
    note(entry, JSON.parse(await ask("deliver", address, JSON.stringify(entry))));
  }
}

async function tellChanged() {
  for (const { address } of (await known()).matches) await tellRest(address);
}

/** Tells it what this phone holds: everything, or what it does not know of one match. All
 * that it is told of a match that changed is that match.
 * @param {string} [address] */
export const hold = (address) => inTurn(() => (address ? tellRest(address) : tellAll()));

/** Returns what it made of an entry when it was last told of its match, and whether the page knew of
 * others that this phone does not hold; null where it knows no such entry.
 * @param {Entry} entry @returns {Verdict | null} */
export function verdictOn({ address, key, base }) {
  const { version, verdicts } = toldOf(address);
  const verdict = verdicts.get(key);
  if (!verdict) return null;
  const before = [...verdicts.keys()].indexOf(key);
  return { ...verdict, isBehind: (base ?? 0) > (version ?? 0) + before };
}

/** Returns the same of an entry that waits, once it is told.
 * @param {Entry} entry */
export const validate = (entry) => inTurn(() => tellRest(entry.address).then(() => verdictOn(entry)));

/** Returns a page, drawn of all that is kept, and the version of its match that the server had told of.
 * @param {string} method @param {string} path @param {Fields} [fields] @returns {Promise<LocalAnswer>} */
export const answer = (method, path, fields = {}, htmx = "") =>
  inTurn(async () => {
    const address = addressOf({ pathname: path });
    // A page of what it knew before is better than none.
    await (address ? tellRest(address) : tellChanged()).catch(console.warn);
    const page = JSON.parse(await ask("answer", method, path, JSON.stringify(fields), htmx));
    return { ...page, held: toldOf(address ?? "").version ?? 0 };
  });

/** Returns the record of a match, as JSON.
 * @param {string} address */
export const recordOf = (address) => ask("record", address);

/** Returns the scores of a record, as JSON.
 * @param {string} record */
export const score = (record) => ask("score", record);
