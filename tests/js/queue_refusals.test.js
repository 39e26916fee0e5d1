import assert from "node:assert/strict";
import { test } from "node:test";
import { findRefusals } from "../../scoring/js/phone/queue.js";

const FAULTS = [{ message: "11 tricks entered" }];
const entry = (key, more = {}) => ({ key, kind: "enter", address: "abc", phone: "", entered_at: "", order: 1, ...more });
const verdictFor = (keys, more = {}) => ({ key }) =>
  keys.includes(key) ? { status: 422, faults: FAULTS, isBehind: false, ...more } : { status: 200, faults: [], isBehind: false };
const keysOf = (refusals) => [...refusals.keys()].map(({ key }) => key);

test("what the server refused is refused, with its faults", () => {
  const refusals = findRefusals([entry("a"), entry("b", { state: "refused", faults: FAULTS })], null);
  assert.deepEqual(keysOf(refusals), ["b"]);
  assert.deepEqual([...refusals.values()], [FAULTS]);
});

test("of what this phone refuses only the first of a match is told", () => {
  const entries = [entry("a"), entry("b"), entry("c"), entry("d", { address: "other" })];
  assert.deepEqual(keysOf(findRefusals(entries, verdictFor(["b", "c", "d"]))), ["b", "d"]);
});

test("what comes after a refusal of the server is not judged here", () => {
  const entries = [entry("a", { state: "gone" }), entry("b")];
  assert.deepEqual(keysOf(findRefusals(entries, verdictFor(["b"]))), ["a"]);
});

test("nothing is refused that knows more than this phone", () => {
  assert.deepEqual(keysOf(findRefusals([entry("a")], verdictFor(["a"], { isBehind: true }))), []);
});

test("an entry for a match that this phone knows to be closed is refused", () => {
  const verdict = { status: 410, faults: FAULTS, isBehind: false };
  assert.deepEqual([...findRefusals([entry("a")], () => verdict).values()], [FAULTS]);
});
