/* When this phone starts the scorepad's own server, which takes some hundred megabytes of memory: where
   somebody writes and the network is bad or was lately, or where a person asked for it. */

import { all, find, tapped } from "../dom.js";
import { addressOf } from "./addresses.js";
import * as local from "./local.js";

const WANTED = "tricky-offline-wanted";
const LOST_AT = "tricky-network-lost-at";
const WROTE_AT = "tricky-wrote-at";
const STARTING = "tricky-offline-starting";
const LATELY = 24 * 60 * 60 * 1000; // milliseconds
const WRITES = "form[data-keep], #sheet [data-writes]:not([hidden])";

/* A private window remembers nothing. */
/** @param {string} name */
function marked(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name @param {string} value empty to forget it */
function mark(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch {
    // It is decided anew next time.
  }
}

/** Notes that the network was lost just now. */
export const noteLoss = () => mark(LOST_AT, String(Date.now()));

/** Notes that somebody entered something on this phone just now. */
export const noteWriting = () => mark(WROTE_AT, String(Date.now()));

const isWanted = () => marked(WANTED) === "1";
const isLately = (/** @type {string} */ name) => Date.now() - Number(marked(name)) < LATELY;
let isStarting = false;
/* Whether a page died while it started: then no other tries again by itself. Asked when it matters, for
 * a page that is left takes its mark away at the last moment, which the next one may not see at once. */
const hasDied = () => !isStarting && marked(STARTING) !== "";

/** Whether the server starts by itself on this page. */
export const mayStart = () => !hasDied() && (isWanted() || (isLately(LOST_AT) && find(document, WRITES) !== null));

/** Whether the server starts for a page that this phone has never seen: not for a match that it only follows.
 * @param {URL | Location} url */
export const startsFor = (url) => addressOf(url) === undefined || isWanted() || isLately(WROTE_AT);

/** Whether it cannot run on this phone, as far as anybody knows. */
export const cannotRun = () => !local.ready && (hasDied() || local.hasFailed);

/** Keeps what it is made of where somebody writes, so that it can start once the network has gone; some
 * megabytes in the browser's cache, and no memory. */
export async function keepParts() {
  if (!navigator.serviceWorker?.controller || find(document, WRITES) === null) return;
  const { pyodide = "", pack = "" } = document.documentElement.dataset;
  const parts = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];
  for (const part of [pack, ...parts.map((name) => pyodide + name)]) await fetch(part).then((answer) => answer.arrayBuffer());
}

/** Starts it, with a mark that says so until it is there or has failed, or somebody has left the page. */
async function beginMarked() {
  const died = hasDied();
  isStarting = true;
  mark(STARTING, "1");
  try {
    // A page may have died of what an earlier start had kept.
    if (died) await local.forgetMemory();
    await local.begin();
  } finally {
    isStarting = false;
    mark(STARTING, "");
  }
}
/** Whether somebody is leaving the page: what breaks off with it tells nothing of the network, and nothing
 * begins any more. */
export let isLeft = false;
addEventListener("pagehide", () => {
  isLeft = true;
  if (isStarting) mark(STARTING, "");
});
addEventListener("pageshow", () => (isLeft = false));

/** Starts it, where no page has died of that.
 * @returns {Promise<void>} */
export const begin = () =>
  isLeft || hasDied() ? Promise.reject(new Error("a page was left or died while it started")) : beginMarked();

/** Lets a person ask for it, and tells how that goes. */
export function startReadiness() {
  const show = () => {
    for (const place of all(document, "[data-offline]")) {
      const { ready = "", loading = "", failed = "" } = place.dataset;
      const button = /** @type {HTMLButtonElement | null} */ (find(place, "button"));
      const line = find(place, "[role=status]");
      place.hidden = false;
      if (button) button.hidden = local.ready || isStarting;
      if (line) line.textContent = local.ready ? ready : isStarting ? loading : cannotRun() ? failed : "";
    }
  };
  document.addEventListener("click", (event) => {
    if (!tapped(event, "[data-offline] button")) return;
    mark(WANTED, "1");
    beginMarked().catch(() => {}).finally(show);
    show();
  });
  for (const news of ["tricky:drawn", "tricky:ready"]) document.addEventListener(news, show);
  show();
}
