/* Everything that this phone sends has a key of its own, so that sending it twice is harmless. Not by
   crypto.randomUUID, which needs https. */

import { findAll, findInputs } from "./dom.js";

/** @param {Uint8Array} bytes */
const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Returns the address of a new match: 128 random bits that nobody can guess.
 * @returns {string} */
export function newAddress() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const address = btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").slice(0, 22);
  return address.startsWith("-") ? newAddress() : address;
}

/** Returns the random name of this phone in the log, so that a table knows which phone is the scorer.
 * @returns {string} */
export function phoneName() {
  try {
    return (localStorage.phone ??= newKey().replace(/-/g, ""));
  } catch {
    return ""; // storage is switched off
  }
}

/** Returns the key of this visit of the page. It stays the same after Back and after a reload.
 * @returns {string} */
function visitKey() {
  const key = history.state?.key ?? newKey();
  history.replaceState({ ...history.state, key }, "");
  return key;
}

function makeKeys() {
  for (const input of findInputs(document, 'input[name="key"]')) {
    input.value = "perVisit" in input.dataset ? visitKey() : newKey();
  }
}

/* Marks what was entered or confirmed on this phone. */
function markOwn() {
  const own = phoneName();
  for (const mark of findAll(document, "[data-phone]")) mark.hidden = !own || mark.dataset.phone !== own;
}

/** Gives the forms of each page their keys, and marks what came from this phone. */
export function startKeys() {
  for (const action of [makeKeys, markOwn]) {
    action();
    document.addEventListener("htmx:afterSwap", action);
    document.addEventListener("tricky:drawn", action);
  }
}
