/* Where the browser knows Background Sync, what waits is sent though no page is open. What
   is not simply taken stays as it is, for a page that can ask its owner. */

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

/* The outbox as phone/store.js made it: what is not there yet is not made here. */
function openDatabase() {
  const request = indexedDB.open("tricky");
  request.onupgradeneeded = () => request.transaction?.abort();
  return resultOf(request);
}

async function sendQueue() {
  const database = await openDatabase();
  const stuck = new Set();
  try {
    /** @type {QueuedEntry[]} */
    const entries = await resultOf(database.transaction("outbox").objectStore("outbox").getAll());
    for (const entry of entries) {
      const behind = entries.filter(({ address, order }) => address === entry.address && order > entry.order).length;
      if (entry.state || stuck.has(entry.address) || !(await sendEntry(database, entry, behind))) stuck.add(entry.address);
    }
  } finally {
    database.close();
    new BroadcastChannel("tricky-outbox").postMessage("changed");
  }
}

/** @param {string} path @param {RequestInit} [options] */
const request = (path, options) => fetch(path, { ...options, cache: "no-store", signal: timeoutSignal(SEND_TIMEOUT) });

/** Whether the server has an entry now; throws where it cannot be reached, to be called again.
 * It is removed once the match is stored with it.
 * @param {IDBDatabase} database @param {QueuedEntry} queued @param {number} waiting */
async function sendEntry(database, { address, order, ...entry }, waiting) {
  const known = await resultOf(database.transaction("matches").objectStore("matches").get(address));
  if (entry.kind !== "start" && !known) return false;
  const answer = await request(`/m/${address}/entries/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Seat-Token": known?.token ?? "" },
    body: JSON.stringify({ ...entry, waiting }),
  });
  if (answer.status >= 500 || answer.headers.get("Content-Type") !== TYPE) throw new Error("not an answer of ours");
  if (![200, 409].includes(answer.status) || (await answer.json()).key !== entry.key) return false;
  const now = await request(`/m/${address}/held.json`);
  if (!now.ok || now.headers.get("Content-Type") !== TYPE) throw new Error("nothing to hold");
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
