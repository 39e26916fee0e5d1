/* The database of a phone, by the types of idb. */
import type { IDBPDatabase, IDBPObjectStore } from "idb";

declare global {
  type StoreName = "outbox" | "matches";
  type Database = IDBPDatabase;
  type Store = IDBPObjectStore<unknown, StoreName[], StoreName, "readwrite">;

  /** Where the browser knows Background Sync. */
  interface SyncRegistration extends ServiceWorkerRegistration {
    sync?: { register(tag: string): Promise<void> };
  }
}
