/* Sends the outbox without an open page, if the browser has Background Sync. An entry that the server does not simply
   accept stays in the outbox, because only a page can show that. */

import { timeoutSignal } from "../phone/timeouts.js";

const SEND_TIMEOUT = 8000;
const TYPE = "application/vnd.tricky+json";

addEventListener("sync", (event) => {
  if (event.tag === "tricky-outbox") event.waitUntil(navigator.locks.request("tricky-outbox", sendQueue));
});

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/* Opens the database of phone/store.js, but does not create it. */
function openDatabase() {
  const request = indexedDB.open("tricky");
  request.onupgradeneeded = () => request.transaction?.abort();
  return resultOf(request);
}

async function sendQueue() {
  const database = await openDatabase();
  const blockedMatches = new Set();
  try {
    /** @type {QueuedEntry[]} */
    const entries = await resultOf(database.transaction("outbox").objectStore("outbox").getAll());
    for (const entry of entries) {
      const laterCount = entries.filter(({ address, order }) => address === entry.address && order > entry.order).length;
      if (entry.state || blockedMatches.has(entry.address) || !(await sendEntry(database, entry, laterCount))) blockedMatches.add(entry.address);
    }
  } finally {
    database.close();
    new BroadcastChannel("tricky-outbox").postMessage("changed");
  }
}

/** @param {string} path @param {RequestInit} [options] */
const request = (path, options) => fetch(path, { ...options, cache: "no-store", signal: timeoutSignal(SEND_TIMEOUT) });

/** Sends an entry and returns whether the server has it. Then it is removed, and the match stored. Throws if the server
 * cannot be reached, so that the browser tries again.
 * @param {IDBDatabase} database @param {QueuedEntry} queued @param {number} laterCount of its match */
async function sendEntry(database, { address, order, ...entry }, laterCount) {
  const known = await resultOf(database.transaction("matches").objectStore("matches").get(address));
  if (entry.kind !== "start" && !known) return false;
  const answer = await request(`/m/${address}/entries/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Seat-Token": known?.token ?? "" },
    body: JSON.stringify({ ...entry, waiting: laterCount }),
  });
  if (answer.status >= 500 || answer.headers.get("Content-Type") !== TYPE) throw new Error("not an answer of ours");
  if (![200, 409].includes(answer.status) || (await answer.json()).key !== entry.key) return false;
  const now = await request(`/m/${address}/held.json`);
  if (!now.ok || now.headers.get("Content-Type") !== TYPE) throw new Error("no match to store");
  const held = await now.json();
  await write(database, ["outbox", "matches"], (outbox, matches) => {
    matches.put({ ...held, at: Date.now() });
    outbox.delete(order);
  }).catch(() => write(database, ["outbox"], (outbox) => outbox.delete(order)));
  return true;
}

/** @param {IDBDatabase} database @param {string[]} names @param {(...stores: IDBObjectStore[]) => void} action */
function write(database, names, action) {
  const transaction = database.transaction(names, "readwrite", { durability: "strict" });
  action(...names.map((name) => transaction.objectStore(name)));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
}
