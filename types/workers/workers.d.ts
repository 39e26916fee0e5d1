/* Types of our workers, in addition to those of the browser. */

/** The server puts this before the text of the service worker. */
declare const RELEASE: { version: string; files: string[]; pages: string[]; offline: string; python: string };

/** An event of Background Sync. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

declare const clients: Clients;
declare const registration: ServiceWorkerRegistration;
declare function skipWaiting(): Promise<void>;
declare function addEventListener(name: "install" | "activate", action: (event: ExtendableEvent) => void): void;
declare function addEventListener(name: "message", action: (event: MessageEvent) => void): void;
declare function addEventListener(name: "fetch", action: (event: FetchEvent) => void): void;
declare function addEventListener(name: "push", action: (event: PushEvent) => void): void;
declare function addEventListener(name: "notificationclick", action: (event: NotificationEvent) => void): void;
declare function addEventListener(name: "sync", action: (event: SyncEvent) => void): void;

/** The parts of Pyodide that we use. */
interface Python {
  FS: { writeFile(path: string, content: Uint8Array): void };
  unpackArchive(archive: ArrayBuffer, format: string, options: { extractDir: string }): void;
  runPython(code: string): any;
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
  _module: { HEAP8: Int8Array<ArrayBuffer> };
}
