import assert from "node:assert/strict";
import { test } from "node:test";
import { addPiece, addPieceUpTo, isContinuation, isLastPiece, isSameTap, removeLastPiece, splitWords } from "../../scoring/js/pieces/pad.js";

test("pieces are split into words", () => {
  assert.deepEqual(splitWords("  d20:17 d4:3 "), ["d20:17", "d4:3"]);
  assert.deepEqual(splitWords(undefined), []);
});

test("a piece is appended and a new trump has its sign", () => {
  assert.equal(addPiece("AH", "8H", false), "AH 8H");
  assert.equal(addPiece("", "8H", true), "+8H");
});

test("the last piece can be taken back", () => {
  assert.equal(removeLastPiece("AH 8H"), "AH");
  assert.equal(removeLastPiece(""), "");
});

test("detects the last piece that a player names", () => {
  assert.equal(isLastPiece("2 2 5", "4"), true);
  assert.equal(isLastPiece("2 2", "4"), false);
  assert.equal(isLastPiece("2 2", ""), false);
});

test("a draft is used only if it continues the current pieces", () => {
  assert.equal(isContinuation("AH 8H", "AH"), true);
  assert.equal(isContinuation("AH", "AH"), false);
  assert.equal(isContinuation("KD 8H", "AH"), false);
  assert.equal(isContinuation("", ""), false);
});

test("one piece too many starts the selection again", () => {
  assert.equal(addPieceUpTo("", "8S", 1), "8S");
  assert.equal(addPieceUpTo("8S", "9S", 1), "9S");
  assert.equal(addPieceUpTo("d6:1", "d6:2", 2), "d6:1 d6:2");
  assert.equal(addPieceUpTo("d6:1 d6:2", "d4:1", 2), "d4:1");
});

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
