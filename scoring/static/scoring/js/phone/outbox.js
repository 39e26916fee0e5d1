/* The outbox: what was kept goes to the server, in order, until it says that it has it.

   Only an answer of our own counts, with our content type and the entry's key: the sign-in
   page of a café's network answers 200 as well. */

import { change, going, heldMatch, holdMatch, release, waiting } from "./kept.js";

const TYPE = "application/vnd.tricky+json";
const PATIENCE = 8000;
const SLOWEST = 60000;

let delay = 0;
let timer = 0;

/* No answer at all, which the next entry would not have either. */
class AwayError extends Error {}

const tell = () => document.dispatchEvent(new CustomEvent("tricky:outbox"));

/* One tab at a time; where the browser knows no locks, one turn at a time in this tab. */
let turn = Promise.resolve();
const alone = (act) =>
  navigator.locks ? navigator.locks.request("tricky-outbox", act) : (turn = turn.then(act, act));

async function request(path, options = {}) {
  const asked = fetch(path, { ...options, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  const answer = await asked.catch((error) => Promise.reject(new AwayError(error.message)));
  if (answer.headers.get("Content-Type") !== TYPE) throw new Error("not an answer of ours");
  return { status: answer.status, told: await answer.json() };
}

const unlessAway = (error) => (error instanceof AwayError ? Promise.reject(error) : {});

/* Fetches what this phone needs to go on with a match; null where it cannot be had. A phone
   without room for it can still send. */
export async function fetchMatch(address) {
  const { status, told } = await request(`/m/${address}/held.json`).catch(unlessAway);
  if (status !== 200 || told.address !== address) return null;
  await holdMatch(told).catch((error) => console.warn("Not held:", error));
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
  // What cannot be read has no key.
  if (said.key !== entry.key && status !== 400) throw new Error("an answer to something else");
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
    await release(entry, said.version);
    return status === 200 ? "saved" : "beside";
  }
  if (status === 422 || status === 410 || status === 400 || status === 401) {
    const state = status === 422 || status === 400 ? "refused" : "gone";
    await change({ ...entry, state, faults: said.faults ?? [{ message: said.message }] });
    return state;
  }
  throw new Error(`the server answers ${status}`);
}

/* What a refused entry holds up in its match: by address the first hand that is missing, 0
   where everything waits. Nothing depends on a correction. */
const OF_HANDS = ["enter", "contract"];
const EVERYTHING = ["start", "board"];
function stop(missing, { address, kind, number }, state) {
  if (state === "gone" || EVERYTHING.includes(kind)) missing.set(address, 0);
  else if (OF_HANDS.includes(kind)) missing.set(address, Math.min(missing.get(address) ?? Infinity, number));
}

/* The hand that takes the place of a missing one may pass, and what is not about hands after it. */
function mayPass(missing, { address, kind, number }) {
  const first = missing.get(address) ?? Infinity;
  if (kind === "pen" || kind === "seats") return first > 0;
  return first === Infinity || number < first || (kind === "enter" && number === first);
}

/* Hands that were refused because another comes first are asked again when that one is there. */
async function askAgain({ address, kind, number }) {
  if (kind !== "enter") return false;
  const behind = (await waiting(address)).filter((entry) => entry.state && entry.kind === "enter" && entry.number > number);
  for (const { state, faults, ...entry } of behind) await change(entry);
  return behind.length > 0;
}

/* Sends what waits and notes by key what became of each; returns the matches that changed. An
   entry about which nothing can be done now holds up no other match. */
async function sendAll(became) {
  const missing = new Map();
  const touched = new Set();
  let failed = false;
  let again = false;
  for (const entry of await waiting()) {
    if (entry.state) stop(missing, entry, entry.state);
    if (entry.state || !mayPass(missing, entry)) continue;
    try {
      became[entry.key] = await settle(entry);
      touched.add(entry.address);
      if (became[entry.key] === "saved") again = (await askAgain(entry)) || again;
      if (["refused", "gone"].includes(became[entry.key])) stop(missing, entry, became[entry.key]);
    } catch (error) {
      failed = true;
      if (error instanceof AwayError) break;
      missing.set(entry.address, 0);
    }
  }
  return { touched, failed, again };
}

const notRead = (error) => {
  console.warn("What waits cannot be read:", error);
  return { touched: new Set(), failed: true };
};

/* Sends everything that waits; returns by key what became of it. */
export function drain() {
  clearTimeout(timer);
  return alone(async () => {
    const became = {};
    const { touched, failed, again } = await sendAll(became).catch(notRead);
    delay = failed ? Math.min(SLOWEST, Math.max(1000, delay * 2)) : 0;
    if (failed) timer = setTimeout(drain, delay * (1 + 0.3 * Math.random()));
    else if (again) timer = setTimeout(drain);
    if (touched.size) tell();
    // What this phone holds to go on with is what it has just told the server, and more.
    Promise.allSettled([...touched].map(fetchMatch));
    return became;
  });
}

export function startOutbox() {
  const now = () => document.hidden || drain().catch((error) => console.warn("Not sent:", error));
  for (const wakes of ["online", "focus", "pageshow"]) addEventListener(wakes, now);
  document.addEventListener("visibilitychange", now);
  setInterval(async () => (await waiting().catch(() => [])).length && now(), 15000);
  addEventListener("beforeunload", (event) => {
    if (document.documentElement.dataset.waiting) event.preventDefault();
  });
  now();
}
