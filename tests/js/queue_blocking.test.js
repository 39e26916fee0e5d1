import assert from "node:assert/strict";
import { test } from "node:test";
import { block, canSend } from "../../scoring/js/phone/queue.js";

const entry = (kind, number, address = "abc") => ({ key: "", kind, address, number, phone: "", entered_at: "" });
const makeCheck = (kind, number, state = "refused") => {
  const blockers = new Map();
  block(blockers, entry(kind, number), state);
  return (...about) => canSend(blockers, entry(...about));
};

test("all entries may be sent if none is refused", () => {
  assert.equal(canSend(new Map(), entry("enter", 1)), true);
});

test("a refused hand blocks later hands but not earlier corrections", () => {
  const mayBeSent = makeCheck("enter", 5);
  assert.equal(mayBeSent("enter", 6), false);
  assert.equal(mayBeSent("replace", 6), false);
  assert.equal(mayBeSent("replace", 3), true);
});

test("the replacement of a refused hand may be sent but its contract may not", () => {
  const mayBeSent = makeCheck("enter", 5);
  assert.equal(mayBeSent("enter", 5), true);
  assert.equal(mayBeSent("contract", 5), false);
});

test("other entries pass a refused hand but not a refused start", () => {
  assert.equal(makeCheck("enter", 5)("pen"), true);
  assert.equal(makeCheck("start")("seats"), false);
  assert.equal(makeCheck("start")("enter", 1), false);
});

test("a missing match blocks its own entries only", () => {
  const mayBeSent = makeCheck("replace", 2, "gone");
  assert.equal(mayBeSent("enter", 3), false);
  assert.equal(mayBeSent("pen"), false);
  assert.equal(mayBeSent("enter", 3, "other"), true);
});

test("a refused correction blocks nothing", () => {
  assert.equal(makeCheck("replace", 2)("enter", 3), true);
});

test("the earliest refused hand counts", () => {
  const blockers = new Map();
  for (const number of [7, 4, 9]) block(blockers, entry("enter", number), "refused");
  assert.equal(canSend(blockers, entry("replace", 5)), false);
  assert.equal(canSend(blockers, entry("replace", 3)), true);
});
