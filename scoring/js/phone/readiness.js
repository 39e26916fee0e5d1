/* Decides when this phone starts its local server, which takes some hundred megabytes of memory: if it is a scorer and
   lost the network lately, or if somebody asked for it. */

import { find, findAll, findTapped } from "../dom.js";
import { matchAddress } from "./addresses.js";
import * as local from "./local_server.js";

const WANTED = "tricky-offline-wanted";
const LOST_AT = "tricky-network-lost-at";
const WROTE_AT = "tricky-wrote-at";
const STARTING = "tricky-offline-starting";
const RECENT = 24 * 60 * 60 * 1000; // milliseconds
const SCORER_ELEMENTS = "form[data-entry-kind], #sheet [data-new-hand-link]:not([hidden])";

/** @param {string} name */
function readStorage(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name @param {string} value removes the item if empty */
function writeStorage(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch {
    // Storage may throw in private windows.
  }
}

export const recordNetworkLoss = () => writeStorage(LOST_AT, String(Date.now()));

export const recordWriting = () => writeStorage(WROTE_AT, String(Date.now()));

const isWanted = () => readStorage(WANTED) === "1";
const wasRecently = (/** @type {string} */ name) => Date.now() - Number(readStorage(name)) < RECENT;
let isStarting = false;
/* Whether a page crashed while the server started: then no other page tries again automatically. Read each time, because
   a page that is left removes its mark so late that the next page may not see that at once. */
const hasCrashed = () => !isStarting && readStorage(STARTING) !== "";

/** Whether the server may start automatically on this page. */
export const canStartByItself = () => !hasCrashed() && (isWanted() || (wasRecently(LOST_AT) && find(document, SCORER_ELEMENTS) !== null));

/** Whether the server may start for a page that is not cached. Not for a match that the phone only watches.
 * @param {URL | Location} url */
export const canStartFor = (url) => matchAddress(url) === undefined || isWanted() || wasRecently(WROTE_AT);

/** Whether the server failed to start on this phone. */
export const cannotRun = () => !local.isReady && (hasCrashed() || local.hasFailed);

/** Caches the files of the server on the phone of a scorer, so that it can start without a network. This takes some
 * megabytes of the browser's cache, but no memory. */
export async function prefetchParts() {
  if (!navigator.serviceWorker?.controller || find(document, SCORER_ELEMENTS) === null) return;
  const { pyodide = "", pack = "" } = document.documentElement.dataset;
  const parts = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];
  for (const part of [pack, ...parts.map((name) => pyodide + name)]) await fetch(part).then((answer) => answer.arrayBuffer());
}

/** Starts the server. A mark in storage tells the next page if this one crashes meanwhile. */
async function startMarked() {
  const hadCrashed = hasCrashed();
  isStarting = true;
  writeStorage(STARTING, "1");
  try {
    // The stored memory of an earlier start may be what crashes.
    if (hadCrashed) await local.deleteMemory();
    await local.startServer();
  } finally {
    isStarting = false;
    writeStorage(STARTING, "");
  }
}
/** Whether the page is being left. Then aborted requests say nothing about the network, and nothing starts. */
export let isLeaving = false;
addEventListener("pagehide", () => {
  isLeaving = true;
  if (isStarting) writeStorage(STARTING, "");
});
addEventListener("pageshow", () => (isLeaving = false));

/** Starts the server unless a page crashed while it started.
 * @returns {Promise<void>} */
export const startIfSafe = () =>
  isLeaving || hasCrashed() ? Promise.reject(new Error("a page was left or crashed while it started")) : startMarked();

/** Shows the state of the server, and a button to start it. */
export function startReadiness() {
  const show = () => {
    for (const place of findAll(document, "[data-offline]")) {
      const { readyText = "", loadingText = "", failedText = "" } = place.dataset;
      const button = /** @type {HTMLButtonElement | null} */ (find(place, "button"));
      const line = find(place, "[role=status]");
      place.hidden = false;
      if (button) button.hidden = local.isReady || isStarting;
      if (line) line.textContent = local.isReady ? readyText : isStarting ? loadingText : cannotRun() ? failedText : "";
    }
  };
  document.addEventListener("click", (event) => {
    if (!findTapped(event, "[data-offline] button")) return;
    writeStorage(WANTED, "1");
    startMarked().catch(() => {}).finally(show);
    show();
  });
  for (const name of ["tricky:drawn", "tricky:ready"]) document.addEventListener(name, show);
  show();
}
