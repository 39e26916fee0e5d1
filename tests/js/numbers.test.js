import assert from "node:assert/strict";
import { test } from "node:test";
import { changeSign, decrementTreats, excessSum, hasAllDigits, incrementTreats, numberRange, remainingTotal, stepNumber, violatedBound } from "../../scoring/js/entry/tray.js";

test("every number from minimum to maximum has a key", () => {
  assert.deepEqual(numberRange(3, 6), [3, 4, 5, 6]);
  assert.deepEqual(numberRange(4, 3), []);
  assert.deepEqual(numberRange(NaN, 3), []);
});

test("the last value of a total follows once all others are entered", () => {
  assert.equal(remainingTotal(10, ["2", "3", "1"]), 4);
  assert.equal(remainingTotal(10, ["2", "", "1"]), null);
  assert.equal(remainingTotal(10, []), 10);
});

test("a field is full at its last digit and not earlier", () => {
  for (const value of ["140", "000", "1234"]) assert.equal(hasAllDigits(value, "3"), true, value);
  for (const value of ["", "0", "1", "55"]) assert.equal(hasAllDigits(value, "3"), false, value);
  assert.equal(hasAllDigits("6", "1"), true);
});

test("detects a number above the maximum", () => {
  assert.equal(violatedBound("361", { max: "360" }, false), "max");
  assert.equal(violatedBound("360", { max: "360" }, true), "");
  assert.equal(violatedBound("", { max: "360" }, true), "");
  assert.equal(violatedBound("9999", {}, true), "");
});

test("detects a complete number below the minimum", () => {
  assert.equal(violatedBound("119", { min: "120" }, true), "min");
  assert.equal(violatedBound("11", { min: "120" }, false), "");
  assert.equal(violatedBound("120", { min: "120" }, true), "");
  assert.equal(violatedBound("", { min: "1" }, true), "");
});

test("rejects text that is not a number", () => {
  assert.equal(violatedBound("1a2", { min: "0", max: "360" }, false), "digits");
});

test("accepts a minus only below zero", () => {
  assert.equal(violatedBound("-5", { min: "-100" }, true), "");
  assert.equal(violatedBound("-", { min: "-100" }, false), "");
  assert.equal(violatedBound("-5", { min: "0" }, true), "digits");
  assert.equal(violatedBound("-101", { min: "-100" }, true), "min");
  assert.equal(hasAllDigits("-12", "3"), false);
});

test("the sign changes both ways", () => {
  assert.equal(changeSign("12"), "-12");
  assert.equal(changeSign("-12"), "12");
  assert.equal(changeSign(""), "-");
});

test("detects a row above its total", () => {
  assert.equal(excessSum(["7", "5", ""], "10"), 12);
  assert.equal(excessSum(["7", "3", ""], "10"), null);
  assert.equal(excessSum(["", "x"], "0"), null);
});

test("steps never go below zero", () => {
  assert.equal(stepNumber("", "-1"), 0);
  assert.equal(stepNumber("3", "1"), 4);
});

test("a treat count stops at its maximum and is empty at zero", () => {
  assert.equal(incrementTreats("", "2"), 1);
  assert.equal(incrementTreats("2", "2"), 2);
  assert.equal(decrementTreats("2"), 1);
  assert.equal(decrementTreats("1"), "");
});
