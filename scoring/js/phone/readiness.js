/* When this phone starts its local server, which takes some hundred megabytes of memory: if it writes and lost the
   network lately, or if somebody asked for it. */

import { find, findAll, findTapped } from "../dom.js";
import { matchAddress } from "./addresses.js";
import * as local from "./local_server.js";

const WANTED = "tricky-offline-wanted";
const LOST_AT = "tricky-network-lost-at";
const WROTE_AT = "tricky-wrote-at";
const STARTING = "tricky-offline-starting";
const RECENT = 24 * 60 * 60 * 1000; // milliseconds
const WRITES = "form[data-keep], #sheet [data-writes]:not([hidden])";

/** @param {string} name */
function readMark(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name @param {string} value empty to forget it */
function writeMark(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch {
    // A private window: nothing is remembered.
  }
}

/** Remembers that the network was lost just now. */
export const recordNetworkLoss = () => writeMark(LOST_AT, String(Date.now()));

/** Remembers that something was entered on this phone just now. */
export const recordWriting = () => writeMark(WROTE_AT, String(Date.now()));

const isWanted = () => readMark(WANTED) === "1";
const wasRecently = (/** @type {string} */ name) => Date.now() - Number(readMark(name)) < RECENT;
let isStarting = false;
/* Whether a page died while it started: then no other tries again by itself. Asked when it matters, for
 * a page that is left takes its mark away at the last moment, which the next one may not see at once. */
const hasCrashed = () => !isStarting && readMark(STARTING) !== "";

/** Whether the server starts by itself on this page. */
export const canStartByItself = () => !hasCrashed() && (isWanted() || (wasRecently(LOST_AT) && find(document, WRITES) !== null));

/** Whether the server may start for a page that is not cached: not for a match that the phone only follows.
 * @param {URL | Location} url */
export const canStartFor = (url) => matchAddress(url) === undefined || isWanted() || wasRecently(WROTE_AT);

/** Whether it cannot run on this phone, as far as anybody knows. */
export const cannotRun = () => !local.isReady && (hasCrashed() || local.hasFailed);

/** Caches the parts of the server on a phone that writes, so that it can start without a network: some
 * megabytes in the browser's cache, no memory. */
export async function prefetchParts() {
  if (!navigator.serviceWorker?.controller || find(document, WRITES) === null) return;
  const { pyodide = "", pack = "" } = document.documentElement.dataset;
  const parts = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];
  for (const part of [pack, ...parts.map((name) => pyodide + name)]) await fetch(part).then((answer) => answer.arrayBuffer());
}

/** Starts it. A mark in storage tells the next page if this one crashes meanwhile. */
async function startMarked() {
  const died = hasCrashed();
  isStarting = true;
  writeMark(STARTING, "1");
  try {
    // The stored memory of an earlier start may be what crashes.
    if (died) await local.deleteMemory();
    await local.startServer();
  } finally {
    isStarting = false;
    writeMark(STARTING, "");
  }
}
/** Whether the page is being left: an aborted request says nothing about the network, and nothing starts. */
export let isLeaving = false;
addEventListener("pagehide", () => {
  isLeaving = true;
  if (isStarting) writeMark(STARTING, "");
});
addEventListener("pageshow", () => (isLeaving = false));

/** Starts it, unless a page crashed while it started.
 * @returns {Promise<void>} */
export const startIfSafe = () =>
  isLeaving || hasCrashed() ? Promise.reject(new Error("a page was left or died while it started")) : startMarked();

/** Lets somebody ask for it, and shows how far it is. */
export function startReadiness() {
  const show = () => {
    for (const place of findAll(document, "[data-offline]")) {
      const { ready = "", loading = "", failed = "" } = place.dataset;
      const button = /** @type {HTMLButtonElement | null} */ (find(place, "button"));
      const line = find(place, "[role=status]");
      place.hidden = false;
      if (button) button.hidden = local.isReady || isStarting;
      if (line) line.textContent = local.isReady ? ready : isStarting ? loading : cannotRun() ? failed : "";
    }
  };
  document.addEventListener("click", (event) => {
    if (!findTapped(event, "[data-offline] button")) return;
    writeMark(WANTED, "1");
    startMarked().catch(() => {}).finally(show);
    show();
  });
  for (const news of ["tricky:drawn", "tricky:ready"]) document.addEventListener(news, show);
  show();
}
