import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBytes, encodeBytes, isTransferPart, joinParts, parsePart, splitIntoLinks } from "../../scoring/js/phone/parts.js";

const ORIGIN = "https://club.example";

test("a text is split into links and reassembled in any order", () => {
  const text = "x1-_".repeat(400);
  const links = splitIntoLinks(text, "0123abcd", ORIGIN);
  assert.equal(links.length, 3);
  const parts = links.toReversed().map(parsePart);
  assert.deepEqual(new Set(parts.map(({ id, count }) => `${id} ${count}`)), new Set(["0123abcd 3"]));
  assert.equal(joinParts(Object.fromEntries(parts.map(({ index, chunk }) => [index, chunk])), 3), text);
});

test("links fit a QR code that old cameras can read", () => {
  for (const link of splitIntoLinks("x".repeat(5000), "0123abcd", ORIGIN)) assert.ok(link.length < 1000);
});

test("bytes are encoded with characters allowed in addresses", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  assert.match(encodeBytes(bytes), /^[\w-]+$/);
  assert.deepEqual(decodeBytes(encodeBytes(bytes)), bytes);
});

test("rejects text that is not a part of a match", () => {
  for (const text of ["", "https://club.example/", "#0123abcd.3.2.xyz", "#0123abcd.0.2.xyz"]) {
    assert.throws(() => parsePart(text), /no part/, text);
  }
  assert.equal(isTransferPart("#theme"), false);
});
