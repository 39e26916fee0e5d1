import assert from "node:assert/strict";
import { test } from "node:test";
import { findRefusals } from "../../scoring/js/phone/queue.js";

const FAULTS = [{ message: "11 tricks entered" }];
const entry = (key, more = {}) => ({ key, kind: "enter", address: "abc", phone: "", entered_at: "", order: 1, ...more });
const verdictFor = (keys, more = {}) => ({ key }) =>
  keys.includes(key) ? { status: 422, faults: FAULTS, isBehind: false, ...more } : { status: 200, faults: [], isBehind: false };
const keysOf = (refusals) => [...refusals.keys()].map(({ key }) => key);

test("entries refused by the server keep their faults", () => {
  const refusals = findRefusals([entry("a"), entry("b", { state: "refused", faults: FAULTS })], null);
  assert.deepEqual(keysOf(refusals), ["b"]);
  assert.deepEqual([...refusals.values()], [FAULTS]);
});

test("only the first local refusal of a match is reported", () => {
  const entries = [entry("a"), entry("b"), entry("c"), entry("d", { address: "other" })];
  assert.deepEqual(keysOf(findRefusals(entries, verdictFor(["b", "c", "d"]))), ["b", "d"]);
});

test("entries after a server refusal are not checked locally", () => {
  const entries = [entry("a", { state: "gone" }), entry("b")];
  assert.deepEqual(keysOf(findRefusals(entries, verdictFor(["b"]))), ["a"]);
});

test("an entry newer than the rules of the phone is not refused", () => {
  assert.deepEqual(keysOf(findRefusals([entry("a")], verdictFor(["a"], { isBehind: true }))), []);
});

test("an entry for a closed match is refused", () => {
  const verdict = { status: 410, faults: FAULTS, isBehind: false };
  assert.deepEqual([...findRefusals([entry("a")], () => verdict).values()], [FAULTS]);
});
