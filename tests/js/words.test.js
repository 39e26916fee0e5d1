import assert from "node:assert/strict";
import { test } from "node:test";
import { goesOn, isLastOf, withPiece, withPieceOf, withoutPiece, wordsOf } from "../../scoring/js/pieces/words.js";

test("pieces are split into words", () => {
  assert.deepEqual(wordsOf("  d20:17 d4:3 "), ["d20:17", "d4:3"]);
  assert.deepEqual(wordsOf(undefined), []);
});

test("a piece is appended and a new trump has its sign", () => {
  assert.equal(withPiece("AH", "8H", false), "AH 8H");
  assert.equal(withPiece("", "8H", true), "+8H");
});

test("the last piece can be taken back", () => {
  assert.equal(withoutPiece("AH 8H"), "AH");
  assert.equal(withoutPiece(""), "");
});

test("detects the last piece that a player names", () => {
  assert.equal(isLastOf("2 2 5", "4"), true);
  assert.equal(isLastOf("2 2", "4"), false);
  assert.equal(isLastOf("2 2", ""), false);
});

test("a draft is used only if it continues the current pieces", () => {
  assert.equal(goesOn("AH 8H", "AH"), true);
  assert.equal(goesOn("AH", "AH"), false);
  assert.equal(goesOn("KD 8H", "AH"), false);
  assert.equal(goesOn(null, ""), false);
});

test("one piece too many starts the selection again", () => {
  assert.equal(withPieceOf("", "8S", 1), "8S");
  assert.equal(withPieceOf("8S", "9S", 1), "9S");
  assert.equal(withPieceOf("d6:1", "d6:2", 2), "d6:1 d6:2");
  assert.equal(withPieceOf("d6:1 d6:2", "d4:1", 2), "d4:1");
});
