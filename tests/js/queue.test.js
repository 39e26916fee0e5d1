import assert from "node:assert/strict";
import { test } from "node:test";
import { block, canSend, countEntries, createEntry, entryFromForm, findRefusals, firstMissingNumber, recordHead, rematchHead, rememberEntry, resultPath } from "../../scoring/js/phone/queue.js";

const entry = (kind, more = {}) => ({ key: "k", kind, address: "abc", phone: "", entered_at: "", number: 3, ...more });

test("a new hand redirects to the sheet and a change to its hand", () => {
  assert.equal(resultPath(entry("enter")), "/m/abc/");
  for (const kind of ["replace", "void", "restore", "keep"]) assert.equal(resultPath(entry(kind)), "/m/abc/hands/3/");
});

test("an action redirects to the current board and a spy to its result", () => {
  assert.equal(resultPath(entry("board", { body: { kind: "claim" } }), "?big=1"), "/m/abc/board/?big=1");
  assert.equal(resultPath(entry("board", { body: { kind: "claim" } })), "/m/abc/board/");
  assert.equal(resultPath(entry("board", { body: { kind: "spy" } })), "/m/abc/board/peek/k/");
});

test("an entry has a format, a version and a kind", () => {
  const { format, version, kind, address } = createEntry("pen", "abc");
  assert.deepEqual({ format, version, kind, address }, { format: "trick-entry", version: 1, kind: "pen", address: "abc" });
});

test("a hand counts once and taking over scoring does not count", () => {
  const hand = [entry("contract", { key: "a" }), entry("enter", { key: "b" })];
  const pen = { ...entry("pen", { key: "c" }), number: undefined };
  const confirmation = { ...entry("confirm", { key: "d" }), number: undefined };
  assert.equal(countEntries([...hand, pen]), 1);
  assert.equal(countEntries([...hand, pen, confirmation]), 2);
  assert.equal(countEntries([pen]), 0);
});

test("a match begins as a record without hands", () => {
  const shown = { game: "tricky", players: ["Ann", "Bo"], options: { target: 500 } };
  assert.deepEqual(recordHead(shown), { format: "trick-record", version: 1, ...shown, hands: [] });
});

test("a rematch has the same seats or rotates them", () => {
  const start = { format: "trick-record", version: 1, game: "tricky", options: {}, players: ["Ann", "Bo", "Cy"], hands: [], rematch_of: "abc" };
  assert.deepEqual(rematchHead(start, false), start);
  assert.deepEqual(rematchHead(start, true), { ...start, players: ["Bo", "Cy", "Ann"] });
});

/* The parts of a page and its form that make an entry. */
globalThis.document ??= { documentElement: { dataset: {} } };
const control = (path, value) => ({ type: "text", value, dataset: { path }, matches: () => false });
const form = (dataset, ...elements) => ({ elements, dataset });

test("visible fields make the body of the entry", () => {
  const shown = form({ entryKind: "enter", address: "abc", number: "3", seatName: "Ann", seats: "2" }, control("points[0]", "120"));
  const { kind, number, base, made_by: by, reason, body, ...rest } = entryFromForm(shown, { base: "7", reason: "mistyped" });
  assert.deepEqual({ kind, number, base, by, reason, body }, {
    kind: "enter", number: 3, base: 7, by: "Ann", reason: "mistyped", body: { points: [120, null] },
  });
  assert.equal("fields" in rest, false);
});

test("a stored body takes precedence over visible fields", () => {
  const shown = form({ entryKind: "agree", address: "abc", body: '{"words": "oak"}' }, control("points[0]", "120"));
  assert.deepEqual(entryFromForm(shown, {}).body, { words: "oak" });
});

test("a start form makes the record head at a new address", () => {
  const { address, body } = entryFromForm(form({ entryKind: "start" }, control("options.target", "500")), {});
  assert.deepEqual(body, { format: "trick-record", version: 1, options: { target: 500 }, players: [], hands: [] });
  assert.match(address, /^[\w-]{22}$/);
});

test("a second tap sends nothing unless a field changed", () => {
  const points = control("points[0]", "120");
  const shown = form({ entryKind: "enter", address: "abc" }, points);
  const entry = entryFromForm(shown, {});
  rememberEntry(shown, entry);
  assert.equal(entryFromForm(shown, {}), entry);
  assert.notEqual(entryFromForm(shown, {}, { isContract: true }), entry);
  points.value = "130";
  assert.notEqual(entryFromForm(shown, {}).key, entry.key);
});

test("the next hand is the first one not entered", () => {
  assert.equal(firstMissingNumber(4, new Set([1, 2, 3])), 4);
  assert.equal(firstMissingNumber(4, new Set([4, 5, 7])), 6);
});

/* Which entries a refused one blocks. */
const about = (kind, number, address = "abc") => entry(kind, { number, address });
const makeCheck = (kind, number, state = "refused") => {
  const blockers = new Map();
  block(blockers, about(kind, number), state);
  return (...what) => canSend(blockers, about(...what));
};

test("all entries may be sent if none is refused", () => {
  assert.equal(canSend(new Map(), about("enter", 1)), true);
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
  for (const number of [7, 4, 9]) block(blockers, about("enter", number), "refused");
  assert.equal(canSend(blockers, about("replace", 5)), false);
  assert.equal(canSend(blockers, about("replace", 3)), true);
});

const FAULTS = [{ message: "11 tricks entered" }];
const queued = (key, more = {}) => entry("enter", { key, order: 1, ...more });
const verdictFor = (keys, more = {}) => ({ key }) =>
  keys.includes(key) ? { status: 422, faults: FAULTS, isBehind: false, ...more } : { status: 200, faults: [], isBehind: false };
const keysOf = (refusals) => [...refusals.keys()].map(({ key }) => key);

test("entries refused by the server keep their faults", () => {
  const refusals = findRefusals([queued("a"), queued("b", { state: "refused", faults: FAULTS })], null);
  assert.deepEqual(keysOf(refusals), ["b"]);
  assert.deepEqual([...refusals.values()], [FAULTS]);
});

test("only the first local refusal of a match is reported", () => {
  const entries = [queued("a"), queued("b"), queued("c"), queued("d", { address: "other" })];
  assert.deepEqual(keysOf(findRefusals(entries, verdictFor(["b", "c", "d"]))), ["b", "d"]);
});

test("entries after a server refusal are not checked locally", () => {
  const entries = [queued("a", { state: "gone" }), queued("b")];
  assert.deepEqual(keysOf(findRefusals(entries, verdictFor(["b"]))), ["a"]);
});

test("an entry newer than the rules of the phone is not refused", () => {
  assert.deepEqual(keysOf(findRefusals([queued("a")], verdictFor(["a"], { isBehind: true }))), []);
});

test("an entry for a closed match is refused", () => {
  const verdict = { status: 410, faults: FAULTS, isBehind: false };
  assert.deepEqual([...findRefusals([queued("a")], () => verdict).values()], [FAULTS]);
});
