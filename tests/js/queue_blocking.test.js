import assert from "node:assert/strict";
import { test } from "node:test";
import { block, canSend } from "../../scoring/js/phone/queue.js";

const entry = (kind, number, address = "abc") => ({ key: "", kind, address, number, phone: "", entered_at: "" });
const after = (kind, number, state = "refused") => {
  const holdups = new Map();
  block(holdups, entry(kind, number), state);
  return (...about) => canSend(holdups, entry(...about));
};

test("without anything refused everything may be sent", () => {
  assert.equal(canSend(new Map(), entry("enter", 1)), true);
});

test("hands after a refused one wait, corrections of earlier ones do not", () => {
  const passes = after("enter", 5);
  assert.equal(passes("enter", 6), false);
  assert.equal(passes("replace", 6), false);
  assert.equal(passes("replace", 3), true);
});

test("the hand that takes the place of a refused one passes, its contract does not", () => {
  const passes = after("enter", 5);
  assert.equal(passes("enter", 5), true);
  assert.equal(passes("contract", 5), false);
});

test("what is not about hands passes a refused hand, but not a refused beginning", () => {
  assert.equal(after("enter", 5)("pen"), true);
  assert.equal(after("start")("seats"), false);
  assert.equal(after("start")("enter", 1), false);
});

test("a match that is gone holds up everything of it, and nothing else", () => {
  const passes = after("replace", 2, "gone");
  assert.equal(passes("enter", 3), false);
  assert.equal(passes("pen"), false);
  assert.equal(passes("enter", 3, "other"), true);
});

test("a refused correction holds up nothing", () => {
  assert.equal(after("replace", 2)("enter", 3), true);
});

test("the earliest refused hand counts", () => {
  const holdups = new Map();
  for (const number of [7, 4, 9]) block(holdups, entry("enter", number), "refused");
  assert.equal(canSend(holdups, entry("replace", 5)), false);
  assert.equal(canSend(holdups, entry("replace", 3)), true);
});
