/* Splits the text of a match into links that are short enough for QR codes. */

const CHUNK_LENGTH = 700; // characters, so that cameras of old phones can read the code
const PART = /([0-9a-f]{8})\.(\d{1,2})\.(\d{1,2})\.([\w-]+)\s*$/;

/** Whether a text is a part of a match.
 * @param {string} text */
export const isTransferPart = (text) => PART.test(text);

/** @param {Uint8Array} bytes */
export const encodeBytes = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** @param {string} text */
export const decodeBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));

/** @param {string} text @param {string} id shared by all links @param {string} origin */
export function splitIntoLinks(text, id, origin) {
  const chunks = text.match(new RegExp(`.{1,${CHUNK_LENGTH}}`, "g")) ?? [];
  return chunks.map((chunk, index) => `${origin}/pad/bring/#${id}.${index + 1}.${chunks.length}.${chunk}`);
}

/** Parses a link. Throws if it is not a part of a match.
 * @param {string} text */
export function parsePart(text) {
  const [, id, index, count, chunk] = text.match(PART) ?? [];
  if (!id || Number(index) < 1 || Number(index) > Number(count)) throw new Error("no part of a match");
  return { id, index: Number(index), count: Number(count), chunk };
}

/** @param {Record<number, string>} chunks @param {number} count */
export const joinParts = (chunks, count) => Array.from({ length: count }, (_, place) => chunks[place + 1]).join("");
