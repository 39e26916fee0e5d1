/* The server on this phone, asked as one asks the one on the network. */

import { known } from "./kept.js";

let worker;
let count = 0;
const asked = new Map();
const SLOWEST = 240000;
const CONTROLLED = 5000;

function ask(name, ...args) {
  return new Promise((resolve, reject) => {
    asked.set((count += 1), { resolve, reject });
    worker.postMessage({ id: count, name, args });
  });
}

/* Whether it answers at once. Until then whatever is entered is kept, and not yet scored. */
export let ready = false;
/* Whether it did not start when it was last tried. */
export let hasFailed = false;
let begun;

/* Starts it; resolves once it holds what this phone holds. */
export function begin() {
  return (begun ??= start().catch((error) => {
    begun = undefined;
    hasFailed = true;
    worker?.terminate();
    console.warn("The scorepad cannot run on this phone:", error);
    throw error;
  }));
}

/* What a worker fetches is kept only where the service worker is there already. */
function controlled() {
  if (!navigator.serviceWorker || navigator.serviceWorker.controller) return undefined;
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    setTimeout(resolve, CONTROLLED);
  });
}

async function start() {
  await controlled();
  const { worker: script, pyodide, pack } = document.documentElement.dataset;
  worker = new Worker(script, { type: "module" });
  worker.addEventListener("message", ({ data: { id, value, error } }) => {
    const { resolve, reject } = asked.get(id);
    asked.delete(id);
    if (error === undefined) resolve(value);
    else reject(new Error(error));
  });
  worker.addEventListener("error", (event) => asked.forEach(({ reject }) => reject(new Error(event.message))));
  const slow = new Promise((_, reject) => setTimeout(reject, SLOWEST, new Error("it takes too long")));
  await Promise.race([ask("begin", { pyodide: new URL(pyodide, location).href, pack: new URL(pack, location).href }), slow]);
  await hold();
  ready = true;
  hasFailed = false;
  document.documentElement.dataset.ready = "";
  document.dispatchEvent(new CustomEvent("tricky:ready"));
}

/* What it was told last of each match: the version that the server knew, and by key what
   it made of the entries since. It is told in turn: what was read later is not told earlier. */
const told = new Map();
let turn = Promise.resolve();
const inTurn = (act) => (turn = turn.then(act, act));

async function tellAll() {
  const { matches, entries } = await known();
  const answers = JSON.parse(await ask("hold", JSON.stringify({ matches, entries })));
  told.clear();
  for (const { address, version } of matches) told.set(address, { version, made: new Map() });
  entries.forEach((entry, place) => note(entry, answers[place]));
}

function note({ address, key }, answer) {
  if (!told.has(address)) told.set(address, { made: new Map() });
  told.get(address).made.set(key, answer);
}

async function tellRest(address) {
  const { matches: [held], entries } = await known(address);
  const { version, made } = told.get(address) ?? { made: new Map() };
  const isSame = [...made.keys()].every((key, place) => entries[place]?.key === key);
  if (held?.version !== version || !isSame) {
    const answers = JSON.parse(await ask("hold_again", JSON.stringify({ address, record: held?.record ?? null, entries })));
    told.set(address, { version: held?.version, made: new Map() });
    return entries.forEach((entry, place) => note(entry, answers[place]));
  }
  for (const entry of entries.slice(made.size)) {
    note(entry, JSON.parse(await ask("deliver", address, JSON.stringify(entry))));
  }
}

async function tellChanged() {
  for (const { address } of (await known()).matches) await tellRest(address);
}

/* Tells it what this phone holds: everything, or what it does not know of one match. All
   that it is told of a match that changed is that match. */
export const hold = (address) => inTurn(() => (address ? tellRest(address) : tellAll()));

/* Returns what it made of an entry when it was last told of its match: the status, the faults, and
   whether the page knew of others that this phone does not hold; null where it knows no such entry. */
export function judged({ address, key, base }) {
  const { version, made } = told.get(address) ?? { made: new Map() };
  if (!made.has(key)) return null;
  const before = [...made.keys()].indexOf(key);
  return { ...made.get(key), isBehind: (base ?? 0) > (version ?? 0) + before };
}

/* Returns the same of an entry that waits, once it is told. */
export const judge = (entry) => inTurn(() => tellRest(entry.address).then(() => judged(entry)));

/* Returns the status, the location and the text of a page, drawn of all that is kept, and the
   version of its match that the server had told of. */
export const answer = (method, path, fields = {}, htmx = "") =>
  inTurn(async () => {
    const address = path.match(/^\/m\/([^/]+)\//)?.[1];
    // A page of what it knew before is better than none.
    await (address ? tellRest(address) : tellChanged()).catch((error) => console.warn("Not told yet:", error));
    const made = JSON.parse(await ask("answer", method, path, JSON.stringify(fields), htmx));
    return { ...made, held: told.get(address)?.version ?? 0 };
  });
export const recordOf = (address) => ask("record", address);
export const score = (document) => ask("score", document);
