import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameTap } from "../../scoring/js/pieces/taps.js";

const piece = { dataset: { piece: "d6:3" } };
const opener = { dataset: { group: "d6" } };
const down = (key, time, x = 0) => ({ key, time, x, y: 0 });

test("a second tap on a key within 400 ms is the same tap", () => {
  assert.equal(isSameTap(down(opener, 399), down(opener, 0), false), true);
  assert.equal(isSameTap(down(opener, 400), down(opener, 0), false), false);
});

test("a piece is not entered again before its first tap is confirmed", () => {
  assert.equal(isSameTap(down(piece, 2999), down(piece, 0), true), true);
  assert.equal(isSameTap(down(piece, 500), down(piece, 0), false), false);
});

test("without an answer a tap counts as new after three seconds", () => {
  assert.equal(isSameTap(down(piece, 3000), down(piece, 0), true), false);
});

test("a second tap at the same place is the same tap even on another key", () => {
  assert.equal(isSameTap(down(piece, 300, 10), down(opener, 0), false), true);
  assert.equal(isSameTap(down(piece, 300, 30), down(opener, 0), false), false);
  assert.equal(isSameTap(down(piece, 500, 10), down(opener, 0), false), false);
});
