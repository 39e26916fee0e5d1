import assert from "node:assert/strict";
import { test } from "node:test";
import { block, canSend } from "../../scoring/js/phone/queue.js";

const entry = (kind, number, address = "abc") => ({ key: "", kind, address, number, phone: "", entered_at: "" });
const after = (kind, number, state = "refused") => {
  const holdups = new Map();
  block(holdups, entry(kind, number), state);
  return (...about) => canSend(holdups, entry(...about));
};

test("all entries may be sent if none is refused", () => {
  assert.equal(canSend(new Map(), entry("enter", 1)), true);
});

test("a refused hand blocks later hands but not earlier corrections", () => {
  const passes = after("enter", 5);
  assert.equal(passes("enter", 6), false);
  assert.equal(passes("replace", 6), false);
  assert.equal(passes("replace", 3), true);
});

test("the replacement of a refused hand may be sent but its contract may not", () => {
  const passes = after("enter", 5);
  assert.equal(passes("enter", 5), true);
  assert.equal(passes("contract", 5), false);
});

test("other entries pass a refused hand but not a refused start", () => {
  assert.equal(after("enter", 5)("pen"), true);
  assert.equal(after("start")("seats"), false);
  assert.equal(after("start")("enter", 1), false);
});

test("a missing match blocks its own entries only", () => {
  const passes = after("replace", 2, "gone");
  assert.equal(passes("enter", 3), false);
  assert.equal(passes("pen"), false);
  assert.equal(passes("enter", 3, "other"), true);
});

test("a refused correction blocks nothing", () => {
  assert.equal(after("replace", 2)("enter", 3), true);
});

test("the earliest refused hand counts", () => {
  const holdups = new Map();
  for (const number of [7, 4, 9]) block(holdups, entry("enter", number), "refused");
  assert.equal(canSend(holdups, entry("replace", 5)), false);
  assert.equal(canSend(holdups, entry("replace", 3)), true);
});
