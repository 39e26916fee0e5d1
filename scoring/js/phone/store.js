/* Stores entries in IndexedDB until the server has them, and matches to continue without a network. */

import { openDB } from "idb";
import { announce } from "../browser.js";

const MOST_MATCHES = 20;

/** @param {Database} database */
function upgrade(database) {
  const outbox = database.createObjectStore("outbox", { keyPath: "order", autoIncrement: true });
  outbox.createIndex("key", "key", { unique: true });
  outbox.createIndex("address", "address");
  database.createObjectStore("matches", { keyPath: "address" });
}

/** Opened at the first use; fails in some private windows. @type {Promise<Database> | undefined} */
let opening;
const forgetConnection = () => (opening = undefined);
const openDatabase = () =>
  (opening ??= openDB("tricky", 1, { upgrade, terminated: forgetConnection }).catch((error) => {
    forgetConnection();
    throw error;
  }));

/* A phone that slept may have lost its connection; the next use fails with one of these. */
const LOST_CONNECTION = new Set(["InvalidStateError", "UnknownError"]);

/** @template T @param {(database: Database) => Promise<T>} action */
async function withDatabase(action) {
  try {
    return await action(await openDatabase());
  } catch (error) {
    if (!LOST_CONNECTION.has(/** @type {Error} */ (error).name)) throw error;
    forgetConnection();
    return action(await openDatabase());
  }
}

/* Strict durability, so that an entry is on the disk before it is shown as saved. */
/** @param {StoreName[]} names @param {(...stores: Store[]) => Promise<unknown>} action */
async function write(names, action) {
  await withDatabase(async (database) => {
    const transaction = database.transaction(names, "readwrite", { durability: "strict" });
    await action(...names.map((name) => transaction.objectStore(name)));
    await transaction.done;
  });
  if (!names.includes("outbox")) return;
  await showCounts();
  otherTabs.postMessage("changed");
}

/** Announces that the queue has changed. */
export const announceOutbox = () => announce("tricky:outbox");

/* Other tabs have the same outbox. */
const otherTabs = new BroadcastChannel("tricky-outbox");
otherTabs.addEventListener("message", () => showCounts().then(announceOutbox));

/** Writes into the page how many entries are queued, and how many of them are still to be sent. */
export async function showCounts() {
  const entries = await queuedEntries();
  const { dataset } = document.documentElement;
  for (const [name, { length }] of /** @type {const} */ ([["queuedEntries", entries], ["unsentEntries", entries.filter(isUnsent)]])) {
    if (length) dataset[name] = String(length);
    else delete dataset[name];
  }
}

/** Queues an entry, only once. It may replace a refused entry, by the key of that. Rejects if this phone has no room.
 * @param {Entry} entry @param {string} [replacedKey] */
export async function enqueue(entry, replacedKey) {
  await write(["outbox"], async (outbox) => {
    const orderOf = (/** @type {string} */ key) => outbox.index("key").getKey(key);
    const order = replacedKey && (await orderOf(replacedKey));
    if (order) await outbox.put({ ...entry, order });
    else if (!(await orderOf(entry.key))) await outbox.add(entry);
  });
  navigator.storage?.persist?.();
  // Lets the browser send the queue after the page is closed, if it can.
  navigator.serviceWorker?.ready
    .then((registration) => /** @type {SyncRegistration} */ (registration).sync?.register("tricky-outbox"))
    .catch(() => {});
}

/** Returns the queued entries, of one match or of all, oldest first.
 * @param {string} [address] @returns {Promise<QueuedEntry[]>} */
export const queuedEntries = (address) =>
  withDatabase((database) =>
    address ? database.getAllFromIndex("outbox", "address", address) : database.getAll("outbox"),
  );

/** Whether an entry was not refused.
 * @param {QueuedEntry} entry */
export const isUnsent = ({ state }) => !state;

/** @param {string} [address] */
export const unsentEntries = async (address) => (await queuedEntries(address)).filter(isUnsent);

/** Saves a changed entry in its place.
 * @param {Omit<QueuedEntry, "state" | "faults"> & Partial<QueuedEntry>} entry */
export const updateEntry = (entry) => write(["outbox"], (outbox) => outbox.put(entry));

/** @param {string} key */
export const removeEntry = (key) =>
  write(["outbox"], async (outbox) => {
    const order = await outbox.index("key").getKey(key);
    if (order !== undefined) await outbox.delete(order);
  });

/** Removes an entry that the server has. If there is room, it stays with the stored match until that is fetched again;
 * otherwise a phone that loses its network right now would not know its own hand.
 * @param {QueuedEntry} entry @param {number} version of the match after it */
export async function dequeue({ order, ...entry }, version) {
  const removeEntryFrom = (/** @type {Store} */ outbox) => outbox.delete(order);
  const moveToMatch = async (/** @type {Store} */ outbox, /** @type {Store} */ matches) => {
    const held = await matches.get(entry.address);
    if (held && held.version < version) {
      await matches.put({ ...held, since: [...(held.since ?? []), { ...entry, stored_as: version }] });
    }
    await removeEntryFrom(outbox);
  };
  await write(["outbox", "matches"], moveToMatch).catch(() => write(["outbox"], removeEntryFrom));
}

const addressesInQueue = async () => new Set((await queuedEntries()).map(({ address }) => address));

/** Stores a match as the server sent it. The oldest matches make room, but none with queued entries.
 * @param {HeldMatch} match */
export async function saveMatch(match) {
  const queuedAddresses = await addressesInQueue();
  await write(["matches"], async (matches) => {
    // A slow answer may be older than what is stored.
    const stored = await matches.get(match.address);
    const held = stored?.version > match.version ? stored : match;
    const since = (stored?.since ?? []).filter((/** @type {SentEntry} */ sent) => sent.stored_as > held.version);
    await matches.put({ ...held, since, at: Date.now() });
    /** @type {HeldMatch[]} */
    const latest = [...(await matches.getAll())].sort((one, other) => other.at - one.at);
    for (const { address } of latest.slice(MOST_MATCHES)) if (!queuedAddresses.has(address)) await matches.delete(address);
  });
}

/** Removes matches with tokens that this phone only has because of an account, except those with queued entries. */
export async function removeAccountMatches() {
  const queuedAddresses = await addressesInQueue();
  await write(["matches"], async (matches) => {
    for (const { address, by_account: byAccount } of /** @type {HeldMatch[]} */ (await matches.getAll())) {
      if (byAccount && !queuedAddresses.has(address)) await matches.delete(address);
    }
  });
}

/** Removes a match from this phone, unless it has queued entries.
 * @param {string} address */
export async function removeMatch(address) {
  if (!(await queuedEntries(address)).length) await write(["matches"], (matches) => matches.delete(address));
}

/** @param {string} address @returns {Promise<HeldMatch | undefined>} */
export const findMatch = (address) => withDatabase((database) => database.get("matches", address));

/** Returns all stored matches, or one, and the later entries in order: those that the server has got since, then the
 * queue. In one transaction, because entries move from one to the other.
 * @param {string} [address] @returns {Promise<{ matches: HeldMatch[], entries: Entry[] }>} */
export const readSnapshot = (address) =>
  withDatabase(async (database) => {
    const transaction = database.transaction(["matches", "outbox"]);
    const outbox = transaction.objectStore("outbox");
    const [matches, queued] = await Promise.all([
      /** @type {Promise<HeldMatch[]>} */ (transaction.objectStore("matches").getAll(address)),
      address ? outbox.index("address").getAll(address) : outbox.getAll(),
    ]);
    return { matches, entries: [...matches.flatMap(({ since }) => since ?? []).map(({ stored_as: _, ...entry }) => entry), ...queued] };
  });
