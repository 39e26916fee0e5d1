import assert from "node:assert/strict";
import { test } from "node:test";
import { excessOf, forbidden, isFull, leftOf, numbersFrom, oneFewer, oneMore, stepped, withoutLast } from "../../scoring/js/entry/numbers.js";

test("every number from minimum to maximum has a key", () => {
  assert.deepEqual(numbersFrom(3, 6), [3, 4, 5, 6]);
  assert.deepEqual(numbersFrom(4, 3), []);
  assert.deepEqual(numbersFrom(NaN, 3), []);
});

test("the last value of a total follows once all others are entered", () => {
  assert.equal(leftOf(10, ["2", "3", "1"]), 4);
  assert.equal(leftOf(10, ["2", "", "1"]), null);
  assert.equal(leftOf(10, []), 10);
});

test("a field is full at its last digit and not earlier", () => {
  for (const value of ["140", "000", "1234"]) assert.equal(isFull(value, "3"), true, value);
  for (const value of ["", "0", "1", "55"]) assert.equal(isFull(value, "3"), false, value);
  assert.equal(isFull("6", "1"), true);
});

test("detects a number above the maximum", () => {
  assert.equal(forbidden("361", { most: "360" }, false), "most");
  assert.equal(forbidden("360", { most: "360" }, true), "");
  assert.equal(forbidden("", { most: "360" }, true), "");
  assert.equal(forbidden("9999", {}, true), "");
});

test("detects a complete number below the minimum", () => {
  assert.equal(forbidden("119", { least: "120" }, true), "least");
  assert.equal(forbidden("11", { least: "120" }, false), "");
  assert.equal(forbidden("120", { least: "120" }, true), "");
  assert.equal(forbidden("", { least: "1" }, true), "");
});

test("rejects text that is not a number", () => {
  assert.equal(forbidden("1a2", { least: "0", most: "360" }, false), "digits");
});

test("detects a row above its total", () => {
  assert.equal(excessOf(["7", "5", ""], "10"), 12);
  assert.equal(excessOf(["7", "3", ""], "10"), null);
  assert.equal(excessOf(["", "x"], "0"), null);
});

test("steps never go below zero", () => {
  assert.equal(stepped("", "-1"), 0);
  assert.equal(stepped("3", "1"), 4);
});

test("a treat count stops at its maximum and is empty at zero", () => {
  assert.equal(oneMore("", "2"), 1);
  assert.equal(oneMore("2", "2"), 2);
  assert.equal(oneFewer("2"), 1);
  assert.equal(oneFewer("1"), "");
});

test("the last ante can be taken back", () => {
  assert.equal(withoutLast(" 6 11 3"), "6 11");
  assert.equal(withoutLast(""), "");
});
