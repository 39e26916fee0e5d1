/* The outbox: what was kept goes to the server, in order, until it says that it has it.

   Only an answer of our own counts, with our content type and the entry's key: the sign-in
   page of a café's network answers 200 as well. */

import { change, going, heldMatch, holdMatch, release, waiting } from "./kept.js";

const TYPE = "application/vnd.tricky+json";
const PATIENCE = 8000;
const SLOWEST = 60000;

let delay = 0;
let timer = 0;

const tell = () => document.dispatchEvent(new CustomEvent("tricky:outbox"));

/* One tab at a time; where the browser knows no locks, one turn at a time in this tab. */
let turn = Promise.resolve();
const alone = (act) =>
  navigator.locks ? navigator.locks.request("tricky-outbox", act) : (turn = turn.then(act, act));

async function request(path, options = {}) {
  const answer = await fetch(path, { ...options, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  if (answer.headers.get("Content-Type") !== TYPE) throw new Error("not an answer of ours");
  return { status: answer.status, told: await answer.json() };
}

/* Fetches what this phone needs to go on with a match; null where it cannot be had. */
export async function fetchMatch(address) {
  const { status, told } = await request(`/m/${address}/held.json`);
  if (status !== 200 || told.address !== address) return null;
  await holdMatch(told);
  return told;
}

async function deliver(entry) {
  const { address, order, state, faults, ...told } = entry;
  const held = (await heldMatch(address)) ?? (entry.kind === "start" ? null : await fetchMatch(address));
  const token = held?.token ?? "";
  const { status, told: said } = await request(`/m/${address}/entries/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Seat-Token": token },
    body: JSON.stringify({ ...told, waiting: (await going(address)).length - 1 }),
  });
  if (said.key !== entry.key) throw new Error("an answer to something else");
  return { status, said };
}

/* Returns what became of an entry: saved, beside (another phone was quicker), refused, or
   gone; throws where the server could not be reached. */
async function settle(entry, again = true) {
  const { status, said } = await deliver(entry);
  if (status === 401 && again && (await fetchMatch(entry.address))) return settle(entry, false);
  if (status === 200 || status === 409) {
    // What follows shows the token of the match that has just begun.
    if (entry.kind === "start") await fetchMatch(entry.address);
    await release(entry);
    return status === 200 ? "saved" : "beside";
  }
  if (status === 422 || status === 410 || status === 400 || status === 401) {
    const state = status === 422 || status === 400 ? "refused" : "gone";
    await change({ ...entry, state, faults: said.faults ?? [{ message: said.message }] });
    return state;
  }
  throw new Error(`the server answers ${status}`);
}

/* Sends everything that waits; returns by key what became of it. */
export function drain() {
  clearTimeout(timer);
  return alone(async () => {
    const became = {};
    const stuck = new Set();
    const touched = new Set();
    try {
      for (const entry of await waiting()) {
        // What comes after a refused hand of a match waits for it.
        if (entry.state) stuck.add(entry.address);
        if (stuck.has(entry.address)) continue;
        became[entry.key] = await settle(entry);
        touched.add(entry.address);
        if (became[entry.key] === "refused" || became[entry.key] === "gone") stuck.add(entry.address);
      }
      delay = 0;
    } catch {
      delay = Math.min(SLOWEST, Math.max(1000, delay * 2));
      timer = setTimeout(drain, delay * (1 + 0.3 * Math.random()));
    }
    if (touched.size) tell();
    // What this phone holds to go on with is what it has just told the server, and more.
    Promise.allSettled([...touched].map(fetchMatch));
    return became;
  });
}

export function startOutbox() {
  const now = () => document.hidden || drain();
  for (const wakes of ["online", "focus", "pageshow"]) addEventListener(wakes, now);
  document.addEventListener("visibilitychange", now);
  setInterval(async () => (await waiting()).length && now(), 15000);
  addEventListener("beforeunload", (event) => {
    if (document.documentElement.dataset.waiting) event.preventDefault();
  });
  now();
}
