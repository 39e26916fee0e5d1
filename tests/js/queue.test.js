import assert from "node:assert/strict";
import { test } from "node:test";
import { countEntries, createEntry, entryFromForm, firstMissingNumber, recordHead, rematchHead, rememberEntry, resultPath } from "../../scoring/js/phone/queue.js";

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
