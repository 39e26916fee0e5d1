/* The codes that move a match to another phone: links with parts of it that are short enough for QR codes. Only loaded when
   a match is moved. */

import { encodeBytes } from "./keys.js";

export { encodeQR } from "qr";
export { BarcodeDetector } from "qr/decode.js";

const CHUNK_LENGTH = 700; // characters, so that cameras of old phones can read the code
const PART = /([0-9a-f]{8})\.(\d{1,2})\.(\d{1,2})\.([\w-]+)\s*$/;

/** @param {BlobPart} content @param {CompressionStream | DecompressionStream} stream */
const pipeThrough = (content, stream) => new Response(new Blob([content]).stream().pipeThrough(stream));

/** Returns the links to a value that can be JSON.
 * @param {unknown} value @param {string} id shared by all links @param {string} origin */
export async function createLinks(value, id, origin) {
  const bytes = await pipeThrough(JSON.stringify(value), new CompressionStream("deflate-raw")).arrayBuffer();
  const chunks = encodeBytes(new Uint8Array(bytes)).match(new RegExp(`.{1,${CHUNK_LENGTH}}`, "g")) ?? [];
  return chunks.map((chunk, index) => `${origin}/pad/bring/#${id}.${index + 1}.${chunks.length}.${chunk}`);
}

/** Parses a link. Throws if it is not a part of a match.
 * @param {string} text */
export function parsePart(text) {
  const [, id, index, count, chunk] = text.match(PART) ?? [];
  if (!id || Number(index) < 1 || Number(index) > Number(count)) throw new Error("no part of a match");
  return { id, index: Number(index), count: Number(count), chunk };
}

/** Returns the value whose parts these are.
 * @param {Record<number, string>} chunks @param {number} count @returns {Promise<any>} */
export function joinParts(chunks, count) {
  const text = Array.from({ length: count }, (_, place) => chunks[place + 1]).join("");
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
  return pipeThrough(bytes, new DecompressionStream("deflate-raw")).json();
}
