/* What this phone sends carries a key that it made itself, so that sending it twice is
   harmless. (crypto.randomUUID would want https, which a club's network rarely has.) */

import { findAll, findInputs } from "./dom.js";

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns a UUID. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Returns where a match is that this phone begins: 128 bits that nobody guesses.
 * @returns {string} */
export function newAddress() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const address = btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").slice(0, 22);
  return address.startsWith("-") ? newAddress() : address;
}

/** Returns what this phone is called in the log, so that a table knows which one writes.
 * @returns {string} */
export function phoneName() {
  try {
    return (localStorage.phone ??= newKey().replace(/-/g, ""));
  } catch {
    return ""; // storage that is switched off: this phone writes without a name
  }
}

/** Returns the key of this visit of a page: the same one after Back and after a reload.
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

/* Of what "somebody at the table" entered or confirmed, what came from this phone. */
function markOwn() {
  const own = phoneName();
  for (const mark of findAll(document, "[data-phone]")) mark.hidden = !own || mark.dataset.phone !== own;
}

/** Gives the forms of each page keys of their own, and says what came from this phone. */
export function startKeys() {
  for (const act of [makeKeys, markOwn]) {
    act();
    document.addEventListener("htmx:afterSwap", act);
    document.addEventListener("tricky:drawn", act);
  }
}
