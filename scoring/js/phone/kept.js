/* What this phone keeps: entries until the server has them, and matches to go on with. */

import { openDB } from "idb";

const MOST_MATCHES = 20;

/** @param {Database} database */
function upgrade(database) {
  const outbox = database.createObjectStore("outbox", { keyPath: "order", autoIncrement: true });
  outbox.createIndex("key", "key", { unique: true });
  outbox.createIndex("address", "address");
  database.createObjectStore("matches", { keyPath: "address" });
}

/** Opened when it is first wanted: a private window may refuse. @type {Promise<Database> | undefined} */
let opened;
const forget = () => (opened = undefined);
const open = () =>
  (opened ??= openDB("tricky", 1, { upgrade, terminated: forget }).catch((error) => {
    forget();
    throw error;
  }));

/* A phone that slept may have lost its connection, which nothing but the next use tells. */
const LOST = new Set(["InvalidStateError", "UnknownError"]);

/** @template T @param {(database: Database) => Promise<T>} act */
async function using(act) {
  try {
    return await act(await open());
  } catch (error) {
    if (!LOST.has(/** @type {Error} */ (error).name)) throw error;
    forget();
    return act(await open());
  }
}

/* Strict: what is called kept has reached the disk. */
/** @param {StoreName[]} names @param {(...stores: Store[]) => Promise<unknown>} act */
async function write(names, act) {
  await using(async (database) => {
    const transaction = database.transaction(names, "readwrite", { durability: "strict" });
    await act(...names.map((name) => transaction.objectStore(name)));
    await transaction.done;
  });
  if (!names.includes("outbox")) return;
  await showCount();
  otherTabs?.postMessage("changed");
}

/* Other tabs keep and send from the same outbox. */
const otherTabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("tricky-outbox") : null;
otherTabs?.addEventListener("message", async () => {
  await showCount();
  document.dispatchEvent(new CustomEvent("tricky:outbox"));
});

/** @param {string} name @param {number} count */
function show(name, count) {
  if (count) document.documentElement.dataset[name] = String(count);
  else delete document.documentElement.dataset[name];
}

/** Shows at the page itself how many entries wait, and how many of these are still to be sent: nobody
 * has to ask to know. */
export async function showCount() {
  const entries = await waiting();
  show("waiting", entries.length);
  show("sending", entries.filter(({ state }) => !state).length);
}

/* Sent without this page too, where the browser does that; nothing waits for it. */
function askToSync() {
  navigator.serviceWorker?.ready
    .then((registration) => /** @type {SyncRegistration} */ (registration).sync?.register("tricky-outbox"))
    .catch(() => {});
}

/** Keeps an entry; keeping it twice keeps it once. What `mends` a refused one, by its key, takes its
 * place, before whatever came after it. Rejects where this phone has no room.
 * @param {Entry} entry @param {string} [mends] */
export async function keep(entry, mends) {
  await write(["outbox"], async (outbox) => {
    const orderOf = (/** @type {string} */ key) => outbox.index("key").getKey(key);
    const order = mends && (await orderOf(mends));
    if (order) await outbox.put({ ...entry, order });
    else if (!(await orderOf(entry.key))) await outbox.add(entry);
  });
  navigator.storage?.persist?.();
  askToSync();
}

/** Returns the entries that wait, of one match or of all, in the order in which they were made.
 * @param {string} [address] @returns {Promise<QueuedEntry[]>} */
export const waiting = (address) =>
  using((database) =>
    address ? database.getAllFromIndex("outbox", "address", address) : database.getAll("outbox"),
  );

/** Returns what waits and was not refused.
 * @param {string} [address] */
export const going = async (address) => (await waiting(address)).filter((entry) => !entry.state);

/** Keeps an entry as it is now, in its place.
 * @param {Omit<QueuedEntry, "state" | "faults"> & Partial<QueuedEntry>} entry */
export const change = (entry) => write(["outbox"], (outbox) => outbox.put(entry));

/** Lets go of the entry with this key.
 * @param {string} key */
export const releaseKey = (key) =>
  write(["outbox"], async (outbox) => {
    const order = await outbox.index("key").getKey(key);
    if (order !== undefined) await outbox.delete(order);
  });

/** Lets go of an entry that the server has. Until the match is fetched anew it stays with what
 * is held of it, or a phone whose network goes right now would not know its own hand; but a
 * phone without room for that does without.
 * @param {QueuedEntry} entry @param {number} version to which its match came by it */
export async function release({ order, ...entry }, version) {
  const letGo = (/** @type {Store} */ outbox) => outbox.delete(order);
  const remember = async (/** @type {Store} */ outbox, /** @type {Store} */ matches) => {
    const held = await matches.get(entry.address);
    if (held && held.version < version) {
      await matches.put({ ...held, since: [...(held.since ?? []), { ...entry, stored_as: version }] });
    }
    await letGo(outbox);
  };
  await write(["outbox", "matches"], remember).catch(() => write(["outbox"], letGo));
}

/** Entries that were sent before they had a format have that version by another name.
 * @param {SentEntry} sent */
const versionOf = ({ stored_as: stored, version }) => stored ?? version;

/** @param {SentEntry} sent @returns {Entry} */
const asEntered = ({ stored_as: _, ...entry }) => entry;

/** Holds a match as the server told it; the oldest make room, but none of which something
 * waits.
 * @param {HeldMatch} match */
export async function holdMatch(match) {
  const wanted = new Set((await waiting()).map(({ address }) => address));
  await write(["matches"], async (matches) => {
    // An answer that was long on its way tells less than a later one did.
    const known = await matches.get(match.address);
    const held = known?.version > match.version ? known : match;
    const since = (known?.since ?? []).filter((/** @type {SentEntry} */ sent) => versionOf(sent) > held.version);
    await matches.put({ ...held, since, at: Date.now() });
    /** @type {HeldMatch[]} */
    const latest = [...(await matches.getAll())].sort((one, other) => other.at - one.at);
    for (const { address } of latest.slice(MOST_MATCHES)) if (!wanted.has(address)) await matches.delete(address);
  });
}

/** Lets go of matches that this phone writes only because of an account, once nobody is signed in: its token goes
 * with them. What still has to be sent keeps its match. */
export async function letGoOfAccount() {
  const wanted = new Set((await waiting()).map(({ address }) => address));
  await write(["matches"], async (matches) => {
    for (const { address, by_account: byAccount } of /** @type {HeldMatch[]} */ (await matches.getAll())) {
      if (byAccount && !wanted.has(address)) await matches.delete(address);
    }
  });
}

/** Returns what is held of a match.
 * @param {string} address @returns {Promise<HeldMatch | undefined>} */
export const heldMatch = (address) => using((database) => database.get("matches", address));

/** Returns what is held, of one match or of all, and in order the entries beyond that: what the
 * server has had since, then what waits. Read as one: what is let go just then is in neither.
 * @param {string} [address] @returns {Promise<{ matches: HeldMatch[], entries: Entry[] }>} */
export const known = (address) =>
  using(async (database) => {
    const transaction = database.transaction(["matches", "outbox"]);
    const outbox = transaction.objectStore("outbox");
    const [matches, waits] = await Promise.all([
      /** @type {Promise<HeldMatch[]>} */ (transaction.objectStore("matches").getAll(address)),
      address ? outbox.index("address").getAll(address) : outbox.getAll(),
    ]);
    return { matches, entries: [...matches.flatMap(({ since }) => since ?? []).map(asEntered), ...waits] };
  });
