/* The database of a phone, by the types of idb. */
import type { IDBPDatabase, IDBPObjectStore, openDB } from "idb";

declare global {
  /** The small one of idb's two builds leaves itself here. */
  var idb: { openDB: typeof openDB };
  type StoreName = "outbox" | "matches";
  type Database = IDBPDatabase;
  type Store = IDBPObjectStore<unknown, StoreName[], StoreName, "readwrite">;

  /** Where the browser knows Background Sync. */
  interface SyncRegistration extends ServiceWorkerRegistration {
    sync?: { register(tag: string): Promise<void> };
  }
}
