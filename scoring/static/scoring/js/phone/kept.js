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
const forget = () => (opened = undefined);
const open = () =>
  (opened ??= openDB("tricky", 1, { upgrade, terminated: forget }).catch((error) => {
    forget();
    throw error;
  }));

/* A phone that slept may have lost its connection, which nothing but the next use tells. */
const LOST = new Set(["InvalidStateError", "UnknownError"]);
async function using(act) {
  try {
    return await act(await open());
  } catch (error) {
    if (!LOST.has(error.name)) throw error;
    forget();
    return act(await open());
  }
}

/* Strict: what is called kept has reached the disk. */
async function write(stores, act) {
  await using(async (database) => {
    const transaction = database.transaction(stores, "readwrite", { durability: "strict" });
    await act(...stores.map((name) => transaction.objectStore(name)));
    await transaction.done;
  });
  if (!stores.includes("outbox")) return;
  await showCount();
  others?.postMessage("changed");
}

/* Other tabs keep and send from the same outbox. */
const others = "BroadcastChannel" in globalThis ? new BroadcastChannel("tricky-outbox") : null;
others?.addEventListener("message", async () => {
  await showCount();
  document.dispatchEvent(new CustomEvent("tricky:outbox"));
});

/* How many entries wait stands at the page itself: nobody has to ask to know. */
export async function showCount() {
  const count = await using((database) => database.count("outbox"));
  if (count) document.documentElement.dataset.waiting = count;
  else delete document.documentElement.dataset.waiting;
}

/* Keeps an entry; keeping it twice keeps it once. What `mends` a refused one takes its place, before
   whatever came after it. Rejects where this phone has no room. */
export async function keep(entry, mends) {
  await write(["outbox"], async (outbox) => {
    const orderOf = (key) => outbox.index("key").getKey(key);
    const order = mends && (await orderOf(mends));
    if (order) await outbox.put({ ...entry, order });
    else if (!(await orderOf(entry.key))) await outbox.add(entry);
  });
  navigator.storage?.persist?.();
  // Sent without this page too, where the browser does that; nothing waits for it.
  navigator.serviceWorker?.ready.then(({ sync }) => sync?.register("tricky-outbox")).catch(() => {});
}

/* Returns the entries that wait, in the order in which they were made. */
export const waiting = (address) =>
  using((database) =>
    address ? database.getAllFromIndex("outbox", "address", address) : database.getAll("outbox"),
  );

/* Returns what waits and was not refused. */
export const going = async (address) => (await waiting(address)).filter((entry) => !entry.state);

export const change = (entry) => write(["outbox"], (outbox) => outbox.put(entry));
export const releaseKey = (key) =>
  write(["outbox"], async (outbox) => {
    const order = await outbox.index("key").getKey(key);
    if (order !== undefined) await outbox.delete(order);
  });

/* Lets go of an entry that the server has. Until the match is fetched anew it stays with what
   is held of it, or a phone whose network goes right now would not know its own hand; but a
   phone without room for that does without. */
export async function release({ order, ...entry }, version) {
  const letGo = (outbox) => outbox.delete(order);
  const remember = async (outbox, matches) => {
    const held = await matches.get(entry.address);
    if (held && held.version < version) {
      await matches.put({ ...held, since: [...(held.since ?? []), { ...entry, version }] });
    }
    await letGo(outbox);
  };
  await write(["outbox", "matches"], remember).catch(() => write(["outbox"], letGo));
}

/* Holds a match as the server told it; the oldest make room, but none of which something
   waits. */
export async function holdMatch(told) {
  const wanted = new Set((await waiting()).map(({ address }) => address));
  await write(["matches"], async (matches) => {
    // An answer that was long on its way tells less than a later one did.
    const known = await matches.get(told.address);
    const held = known?.version > told.version ? known : told;
    const since = (known?.since ?? []).filter(({ version }) => version > held.version);
    await matches.put({ ...held, since, at: Date.now() });
    const all = (await matches.getAll()).sort((one, other) => other.at - one.at);
    for (const { address } of all.slice(MOST_MATCHES)) if (!wanted.has(address)) await matches.delete(address);
  });
}
export const heldMatch = (address) => using((database) => database.get("matches", address));

/* Returns what is held, of one match or of all, and in order the entries beyond that: what the
   server has had since, then what waits. Read as one: what is let go just then is in neither. */
export const known = (address) =>
  using(async (database) => {
    const transaction = database.transaction(["matches", "outbox"]);
    const [matches, outbox] = ["matches", "outbox"].map((name) => transaction.objectStore(name));
    const [held, waits] = await Promise.all([
      matches.getAll(address),
      address ? outbox.index("address").getAll(address) : outbox.getAll(),
    ]);
    return { matches: held, entries: [...held.flatMap(({ since }) => since ?? []), ...waits] };
  });
