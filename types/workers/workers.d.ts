/* What our workers find beside what every worker has. */

/** What the server writes before the text of the service worker. */
declare const RELEASE: { version: string; files: string[]; pages: string[]; offline: string; python: string };

/** Background Sync wants what waits to be sent. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

declare const clients: Clients;
declare const registration: ServiceWorkerRegistration;
declare function skipWaiting(): Promise<void>;
declare function addEventListener(name: "install" | "activate", act: (event: ExtendableEvent) => void): void;
declare function addEventListener(name: "message", act: (event: MessageEvent) => void): void;
declare function addEventListener(name: "fetch", act: (event: FetchEvent) => void): void;
declare function addEventListener(name: "push", act: (event: PushEvent) => void): void;
declare function addEventListener(name: "notificationclick", act: (event: NotificationEvent) => void): void;
declare function addEventListener(name: "sync", act: (event: SyncEvent) => void): void;

/** What we ask of Python in a browser. */
interface Python {
  FS: { writeFile(path: string, content: Uint8Array): void };
  unpackArchive(archive: ArrayBuffer, format: string, options: { extractDir: string }): void;
  runPython(code: string): any;
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
  _module: { HEAP8: Int8Array<ArrayBuffer> };
}
