/* Everything that this phone sends has a key of its own, so that sending it twice is harmless. Not by
   crypto.randomUUID, which needs https. */

import { findAll, findInputs, onEachPage, readStorage, writeStorage } from "./browser.js";

const randomBytes = () => crypto.getRandomValues(new Uint8Array(16));

export function newKey() {
  const bytes = randomBytes();
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Returns bytes as text with characters that addresses allow.
 * @param {Uint8Array} bytes */
export const encodeBytes = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** Returns the address of a new match: 128 random bits that nobody can guess.
 * @returns {string} */
export function newAddress() {
  const address = encodeBytes(randomBytes());
  return address.startsWith("-") ? newAddress() : address;
}

/** Returns the random name of this phone in the log, so that a table knows which phone is the scorer. Empty without
 * storage. */
export function phoneName() {
  if (readStorage("phone") === null) writeStorage("phone", newKey().replace(/-/g, ""));
  return readStorage("phone") ?? "";
}

/** Returns the key of this visit of the page. It stays the same after Back and after a reload.
 * @returns {string} */
function visitKey() {
  const key = history.state?.key ?? newKey();
  history.replaceState({ ...history.state, key }, "");
  return key;
}

/** Gives the forms of each page their keys, and marks what was entered or confirmed on this phone. */
export function startKeys() {
  onEachPage("tricky:drawn htmx:afterSwap", () => {
    for (const input of findInputs(document, 'input[name="key"]')) {
      input.value = "perVisit" in input.dataset ? visitKey() : newKey();
    }
    const own = phoneName();
    for (const mark of findAll(document, "[data-phone]")) mark.hidden = !own || mark.dataset.phone !== own;
  });
}
