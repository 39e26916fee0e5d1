/* Where the browser knows Background Sync, what waits is sent though no page is open. What
   is not simply taken stays as it is, for a page that can ask its owner. */

import { within } from "../phone/patience.js";

const SENDING = 8000;
const TYPE = "application/vnd.tricky+json";

addEventListener("sync", (event) => {
  if (event.tag === "tricky-outbox") event.waitUntil(navigator.locks.request("tricky-outbox", sendWaiting));
});

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answered = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/* The outbox as kept.js made it: what is not there yet is not made here. */
function openOutbox() {
  const request = indexedDB.open("tricky");
  request.onupgradeneeded = () => request.transaction?.abort();
  return answered(request);
}

async function sendWaiting() {
  const database = await openOutbox();
  const stuck = new Set();
  try {
    /** @type {QueuedEntry[]} */
    const entries = await answered(database.transaction("outbox").objectStore("outbox").getAll());
    for (const entry of entries) {
      const behind = entries.filter(({ address, order }) => address === entry.address && order > entry.order).length;
      if (entry.state || stuck.has(entry.address) || !(await isTaken(database, entry, behind))) stuck.add(entry.address);
    }
  } finally {
    database.close();
    new BroadcastChannel("tricky-outbox").postMessage("changed");
  }
}

/** @param {string} path @param {RequestInit} [options] */
const ask = (path, options) => fetch(path, { ...options, cache: "no-store", signal: within(SENDING) });

/** Whether the server has an entry now; throws where it cannot be reached, to be called again.
 * What it has is let go, once this phone holds what the match has come to.
 * @param {IDBDatabase} database @param {QueuedEntry} queued @param {number} waiting */
async function isTaken(database, { address, order, ...entry }, waiting) {
  const known = await answered(database.transaction("matches").objectStore("matches").get(address));
  if (entry.kind !== "start" && !known) return false;
  const answer = await ask(`/m/${address}/entries/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Seat-Token": known?.token ?? "" },
    body: JSON.stringify({ ...entry, waiting }),
  });
  if (answer.status >= 500 || answer.headers.get("Content-Type") !== TYPE) throw new Error("not an answer of ours");
  if (![200, 409].includes(answer.status) || (await answer.json()).key !== entry.key) return false;
  const now = await ask(`/m/${address}/held.json`);
  if (!now.ok || now.headers.get("Content-Type") !== TYPE) throw new Error("nothing to hold");
  const held = await now.json();
  await change(database, ["outbox", "matches"], (outbox, matches) => {
    matches.put({ ...held, at: Date.now() });
    outbox.delete(order);
  }).catch(() => change(database, ["outbox"], (outbox) => outbox.delete(order)));
  return true;
}

/** @param {IDBDatabase} database @param {string[]} names @param {(...stores: IDBObjectStore[]) => void} act */
function change(database, names, act) {
  const transaction = database.transaction(names, "readwrite", { durability: "strict" });
  act(...names.map((name) => transaction.objectStore(name)));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
}
