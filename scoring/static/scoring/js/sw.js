/* The service worker: what the pad is made of stays on this phone. With `sw_nights.js` and
   `sw_push.js` it is one script.

   `RELEASE` stands before this text: its version, the files, pages that are
   there from the beginning; the first of them draws all others. */

const FILES = `tricky-files-${RELEASE.version}`;
const PAGES = "tricky-pages";
const PYTHON = "tricky-python"; // by its version, which stands in the address
const PATIENCE = 3000;
const SENDING = 8000;
const MOST_PAGES = 60;
const PAD = /^\/($|matches\/new\/$|pad\/(bring\/)?$|who-won\/|how-to-play\/|m\/)/;
const CORRECTION = /\/correct\/$/;
const WHOLE = /\.(svg|json|png)$/; // files, in whose place no page may stand

addEventListener("install", (event) => event.waitUntil(keepFiles()));
async function keepFiles() {
  const files = await caches.open(FILES);
  await files.addAll([...RELEASE.files, ...RELEASE.pages, RELEASE.offline]);
}

addEventListener("activate", (event) => event.waitUntil(forgetOld()));
async function forgetOld() {
  const old = (await caches.keys()).filter((name) => name.startsWith("tricky-files-") && name !== FILES);
  // A page of the last release that is still open wants its files; older ones are gone, and so are
  // the pages that were kept of any. Those seen before the first release came may stay.
  for (const name of old.length ? [...old.slice(0, -1), PAGES] : []) await caches.delete(name);
  const python = await caches.open(PYTHON);
  for (const file of await python.keys()) if (!new URL(file.url).pathname.startsWith(RELEASE.python)) await python.delete(file);
  await clients.claim();
}

/* The page says when nothing that was entered waits any more. */
addEventListener("message", (event) => event.data === "take over" && skipWaiting());

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/static/") || url.pathname.startsWith("/pad/pack/")) event.respondWith(fileFor(request));
  else if (request.mode === "navigate") event.respondWith(pageFor(request, url));
});

/** @param {Request} request */
async function fileFor(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetchFile(request);
  const cache = new URL(request.url).pathname.startsWith(RELEASE.python) ? PYTHON : FILES;
  if (answer.ok) await caches.open(cache).then((files) => files.put(request, answer.clone())).catch(noRoom);
  return answer;
}

/** Fetches a file. A server that sends large files to many phones answers 503, and is asked again for two minutes or so.
 * @param {Request} request @param {number} [tries] @returns {Promise<Response>} */
async function fetchFile(request, tries = 40) {
  const answer = await fetch(request);
  if (answer.status !== 503 || !tries) return answer;
  await new Promise((resolve) => setTimeout(resolve, 2000 + 2000 * Math.random()));
  return fetchFile(request, tries - 1);
}

/* As phone/patience.js has it: a service worker shares no module with its pages. */
/** @param {number} patience */
function within(patience) {
  if (AbortSignal.timeout) return AbortSignal.timeout(patience);
  const giveUp = new AbortController();
  setTimeout(() => giveUp.abort(), patience);
  return giveUp.signal;
}

/** What cannot be kept was fetched all the same.
 * @param {unknown} error */
const noRoom = (error) => console.warn("Not kept:", error);

/** Whether a page came, and not that of whoever is between; a redirection is the browser's to follow.
 * @param {Response} answer */
const isOurs = ({ type, status, headers }) => type === "opaqueredirect" || (status < 500 && headers.has("X-Tricky"));

/** @param {URL} url */
async function pageKept({ pathname }) {
  const pages = await caches.open(PAGES);
  for (const [cache, path] of /** @type {const} */ ([[pages, pathname], [caches, pathname], [caches, RELEASE.pages[0]]])) {
    const page = await cache.match(path, { ignoreVary: true });
    if (page) return page;
  }
  return Response.error();
}

/** @param {Request} request @param {URL} url */
async function pageFor(request, url) {
  if (WHOLE.test(url.pathname)) return fetch(request);
  if (NIGHT.test(url.pathname)) return nightFor(request, url);
  const isPad = PAD.test(url.pathname);
  try {
    const answer = await fetch(request, isPad ? { signal: within(PATIENCE) } : {});
    if (isPad && answer.ok && answer.headers.has("X-Tricky")) await keepPage(url, answer.clone()).catch(noRoom);
    // Whoever is signed in is led away from there: the account was signed out on another device, or in time.
    if (SIGNS_IN.test(url.pathname) && answer.ok && isOurs(answer)) await forgetAccount().catch(noRoom);
    if (isPad && !isOurs(answer)) throw new Error("not ours");
    return answer;
  } catch {
    return isPad ? pageKept(url) : pageOffline();
  }
}

/** Says at once that a page of the server needs the network. */
const pageOffline = async () => (await caches.match(RELEASE.offline, { ignoreVary: true })) ?? Response.error();

/** @param {URL} url @param {Response} answer */
async function keepPage(url, answer) {
  // What a question mark asks for is no other time what is wanted, nor is what stood at a
  // hand before it was corrected.
  if (url.search || CORRECTION.test(url.pathname)) return;
  if (answer.headers.get("Cache-Control")?.includes("no-store")) return;
  const pages = await caches.open(PAGES);
  // In one step: a page that is loaded anew meanwhile must not find that there is none.
  await pages.put(url.pathname, answer);
  const old = (await pages.keys()).slice(0, -MOST_PAGES);
  for (const page of old) await pages.delete(page);
}

/* Where the browser knows Background Sync, what waits is sent though no page is open. What
   is not simply taken stays as it is, for a page that can ask its owner. */

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
