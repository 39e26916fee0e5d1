/* What the service worker does without an open page: sends the outbox, if the browser has Background Sync, and shows push
   notifications. */

import { openDB } from "idb";

const SEND_TIMEOUT = 8000;
const TYPE = "application/vnd.tricky+json";

/* An entry that the server does not simply accept stays in the outbox, because only a page can show that. */
addEventListener("sync", (event) => {
  if (event.tag === "tricky-outbox") event.waitUntil(navigator.locks.request("tricky-outbox", sendQueue));
});

async function sendQueue() {
  // The database of phone/store.js; is not created here.
  const database = await openDB("tricky", undefined, { upgrade: (_database, _old, _new, transaction) => transaction.abort() });
  const blockedMatches = new Set();
  try {
    /** @type {QueuedEntry[]} */
    const entries = await database.getAll("outbox");
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
const request = (path, options) => fetch(path, { ...options, cache: "no-store", signal: AbortSignal.timeout(SEND_TIMEOUT) });

/** Sends an entry and returns whether the server has it. Then it is removed, and the match stored. Throws if the server
 * cannot be reached, so that the browser tries again.
 * @param {Database} database @param {QueuedEntry} queued @param {number} laterCount of its match */
async function sendEntry(database, { address, order, ...entry }, laterCount) {
  const known = await database.get("matches", address);
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
  const transaction = database.transaction(["outbox", "matches"], "readwrite", { durability: "strict" });
  transaction.objectStore("outbox").delete(order).catch(() => {});
  transaction.objectStore("matches").put({ ...held, at: Date.now() }).catch(() => {});
  // A phone without room for the match has to forget the entry all the same.
  await transaction.done.catch(() => database.delete("outbox", order));
  return true;
}

const ICON = "/static/scoring/icons/tricky-192.png";

addEventListener("push", (event) => event.waitUntil(showNotification(event.data?.json())));

/** What the server sends. @typedef {{ title: string, body: string, url: string, tag: string, stop: string, ends: string }} PushMessage */

/** @param {PushMessage | undefined} message */
async function showNotification(message) {
  if (!message) return;
  const { title, body, tag, url, ends, stop } = message;
  const actions = [{ action: "stop", title: stop }];
  await registration.showNotification(title, /** @type {NotificationOptions} */ ({ body, tag, renotify: true, icon: ICON, data: { url, ends }, actions }));
}

addEventListener("notificationclick", (event) => {
  const { url, ends } = /** @type {PushMessage} */ (event.notification.data);
  event.notification.close();
  event.waitUntil(event.action === "stop" ? fetch(`/subscriptions/${ends}/`, { method: "POST" }) : openOrFocus(new URL(url, location.origin)));
});

/** @param {URL} url */
async function openOrFocus(url) {
  if (url.origin !== location.origin) return;
  const open = await clients.matchAll({ type: "window" });
  const client = open.find((each) => new URL(each.url).pathname === url.pathname);
  await (client ? client.focus() : clients.openWindow(url.href));
}
