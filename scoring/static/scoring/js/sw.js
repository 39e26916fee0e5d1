/* The service worker: what the pad is made of stays on this phone.

   `RELEASE` stands before this text: its version, the files, pages that are
   there from the beginning; the first of them draws all others. */
/* global RELEASE */

const FILES = `tricky-files-${RELEASE.version}`;
const PAGES = "tricky-pages";
const PYTHON = "tricky-python"; // by its version, which stands in the address
const PATIENCE = 3000;
const MOST_PAGES = 60;
const PAD = /^\/($|matches\/new\/$|pad\/(bring\/)?$|who-won\/|how-to-play\/|m\/)/;

addEventListener("install", (event) => event.waitUntil(keepFiles()));
async function keepFiles() {
  const files = await caches.open(FILES);
  await files.addAll([...RELEASE.files, ...RELEASE.pages]);
}

addEventListener("activate", (event) => event.waitUntil(forgetOld()));
async function forgetOld() {
  const old = (await caches.keys()).filter((name) => name.startsWith("tricky-files-") && name !== FILES);
  // Pages of an older release want its files; those seen before the first one came may stay.
  for (const name of old.length ? [...old, PAGES] : []) await caches.delete(name);
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

async function fileFor(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  const cache = new URL(request.url).pathname.includes("/vendor/pyodide-") ? PYTHON : FILES;
  if (answer.ok) await (await caches.open(cache)).put(request, answer.clone());
  return answer;
}

async function pageFor(request, url) {
  const isPad = PAD.test(url.pathname);
  try {
    const answer = await fetch(request, isPad ? { signal: AbortSignal.timeout(PATIENCE) } : {});
    if (isPad && answer.ok && answer.headers.has("X-Tricky")) await keepPage(url, answer.clone());
    if (isPad && answer.type !== "opaqueredirect" && (answer.status >= 500 || !answer.headers.has("X-Tricky"))) throw new Error("not ours");
    return answer;
  } catch {
    const pages = await caches.open(PAGES);
    return (await pages.match(url.pathname, { ignoreVary: true })) ?? (await caches.match(url.pathname, { ignoreVary: true })) ?? (await caches.match(RELEASE.pages[0], { ignoreVary: true })) ?? Response.error();
  }
}

async function keepPage(url, answer) {
  const pages = await caches.open(PAGES);
  await pages.delete(url.pathname);
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

const answered = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/* The outbox as kept.js made it: what is not there yet is not made here. */
function openOutbox() {
  const request = indexedDB.open("tricky");
  request.onupgradeneeded = () => request.transaction.abort();
  return answered(request);
}

async function sendWaiting() {
  const base = await openOutbox();
  const store = (name, mode) => base.transaction(name, mode, { durability: "strict" }).objectStore(name);
  const stuck = new Set();
  try {
    const all = await answered(store("outbox").getAll());
    for (const entry of all) {
      const behind = all.filter(({ address, order }) => address === entry.address && order > entry.order).length;
      if (entry.state || stuck.has(entry.address) || !(await isTaken(store, entry, behind))) stuck.add(entry.address);
      else await answered(store("outbox", "readwrite").delete(entry.order));
    }
  } finally {
    base.close();
    new BroadcastChannel("tricky-outbox").postMessage("changed");
  }
}

/* Whether the server has an entry now; throws where it cannot be reached, to be called again. */
async function isTaken(store, { address, order, ...told }, waiting) {
  const held = await answered(store("matches").get(address));
  if (told.kind !== "start" && !held) return false;
  const answer = await fetch(`/m/${address}/entries/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Seat-Token": held?.token ?? "" },
    body: JSON.stringify({ ...told, waiting }),
  });
  if (answer.status >= 500 || answer.headers.get("Content-Type") !== TYPE) throw new Error("not an answer of ours");
  return (answer.status === 200 || answer.status === 409) && (await answer.json()).key === told.key;
}
