import assert from "node:assert/strict";
import { test } from "node:test";
import { createLinks, joinParts, parsePart } from "../../scoring/js/codes.js";

const ORIGIN = "https://club.example";
const match = { address: "abc", entries: Array.from({ length: 100 }, () => crypto.randomUUID()) };

test("a match is split into links and reassembled in any order", async () => {
  const links = await createLinks(match, "0123abcd", ORIGIN);
  assert.ok(links.length > 2);
  const parts = links.toReversed().map(parsePart);
  assert.deepEqual(new Set(parts.map(({ id, count }) => `${id} ${count}`)), new Set([`0123abcd ${links.length}`]));
  assert.deepEqual(await joinParts(Object.fromEntries(parts.map(({ index, chunk }) => [index, chunk])), links.length), match);
});

test("links fit a QR code that old cameras can read", async () => {
  for (const link of await createLinks(match, "0123abcd", ORIGIN)) assert.ok(link.length < 1000);
});

test("rejects text that is not a part of a match", () => {
  for (const text of ["", "https://club.example/", "#0123abcd.3.2.xyz", "#0123abcd.0.2.xyz"]) {
    assert.throws(() => parsePart(text), /no part/, text);
  }
});
