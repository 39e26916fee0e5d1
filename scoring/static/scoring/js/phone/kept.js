/* What this phone keeps: entries until the server has them, and matches to go on with. */

import { openDB } from "../../vendor/idb-8.0.4.js";

const MOST_MATCHES = 20;

function upgrade(database) {
  const outbox = database.createObjectStore("outbox", { keyPath: "order", autoIncrement: true });
  outbox.createIndex("key", "key", { unique: true });
  outbox.createIndex("address", "address");
  database.createObjectStore("matches", { keyPath: "address" });
}

/* Opened when it is first wanted: a private window may refuse. */
let opened;
const base = async () => (opened ??= openDB("tricky", 1, { upgrade }));

async function write(store, act) {
  // Strict: what is called kept has reached the disk.
  const transaction = (await base()).transaction(store, "readwrite", { durability: "strict" });
  const made = await act(transaction.store);
  await transaction.done;
  if (store === "outbox") {
    await showCount();
    others?.postMessage("changed");
  }
  return made;
}

/* Other tabs keep and send from the same outbox. */
const others = "BroadcastChannel" in globalThis ? new BroadcastChannel("tricky-outbox") : null;
others?.addEventListener("message", async () => {
  await showCount();
  document.dispatchEvent(new CustomEvent("tricky:outbox"));
});

/* How many entries wait stands at the page itself: nobody has to ask to know. */
export async function showCount() {
  const count = await (await base()).count("outbox");
  if (count) document.documentElement.dataset.waiting = count;
  else delete document.documentElement.dataset.waiting;
}

/* Keeps an entry; keeping it twice keeps it once. Rejects where this phone has no room. */
export async function keep(entry) {
  await write("outbox", async (outbox) => {
    if (!(await outbox.index("key").get(entry.key))) await outbox.add(entry);
  });
  navigator.storage?.persist?.();
  // Sent without this page too, where the browser does that; nothing waits for it.
  navigator.serviceWorker?.ready.then(({ sync }) => sync?.register("tricky-outbox")).catch(() => {});
}

/* Returns the entries that wait, in the order in which they were made. */
export const waiting = async (address) => {
  const database = await base();
  return address
    ? database.getAllFromIndex("outbox", "address", address)
    : database.getAll("outbox");
};

/* Returns what waits and was not refused. */
export const going = async (address) => (await waiting(address)).filter((entry) => !entry.state);

export const change = (entry) => write("outbox", (outbox) => outbox.put(entry));
export const release = (entry) => write("outbox", (outbox) => outbox.delete(entry.order));
export const releaseKey = (key) =>
  write("outbox", async (outbox) => {
    const order = await outbox.index("key").getKey(key);
    if (order !== undefined) await outbox.delete(order);
  });

/* Keeps a match as the server told it; the oldest make room. */
export async function holdMatch(held) {
  await write("matches", async (matches) => {
    // An answer that was long on its way tells less than a later one did.
    const known = await matches.get(held.address);
    await matches.put({ ...(known?.version > held.version ? known : held), at: Date.now() });
    const all = (await matches.getAll()).sort((one, other) => other.at - one.at);
    for (const old of all.slice(MOST_MATCHES)) await matches.delete(old.address);
  });
}
export const heldMatches = async () => (await base()).getAll("matches");
export const heldMatch = async (address) => (await base()).get("matches", address);
