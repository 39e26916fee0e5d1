import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { buildRecord, lastBody, parsePath, readBody } from "../../scoring/js/phone/record.js";

/** Returns controls of a form from paths, values and other attributes. */
const controls = (...all) => all.map(([path, value, more = {}]) => ({ path, value, ...more }));
const numbers = (prefix, values) => values.map((value, seat) => [`${prefix}[${seat}]`, value]);
const readAs = (format, more = {}) => ({ format, ...more });

test("paths use names and list indexes", () => {
  assert.deepEqual(parsePath("contract.bid"), ["contract", "bid"]);
  assert.deepEqual(parsePath("actors[0].dice[1]"), ["actors", 0, "dice", 1]);
  assert.deepEqual(parsePath(""), []);
});

test("a hand of Tricky is its contract and points", () => {
  const filled = controls(["contract.bidder", "1"], ["contract.bid", "96"], ["contract.trump", "7"], ...numbers("points", ["140", "120", "101"]));
  assert.deepEqual(buildRecord(filled, {}, 3), { contract: { bidder: 1, bid: 96, trump: 7 }, points: [140, 120, 101] });
});

test("no trump is null, which replaces nothing else", () => {
  const filled = controls(["contract.bid", "96"], ["contract.trump", "null", readAs("json")]);
  assert.deepEqual(buildRecord(filled), { contract: { bid: 96, trump: null } });
});

test("digits become a number and other text is left to the rules", () => {
  for (const [value, expected] of [["12", 12], [" 7 ", 7], ["007", 7], ["-3", -3], ["-", "-"], ["x", "x"], ["1.5", "1.5"]]) {
    assert.deepEqual(buildRecord(controls(["bid", value])), { bid: expected }, value);
  }
  assert.deepEqual(buildRecord(controls(["bid", "9".repeat(30)])), { bid: "9".repeat(30) });
});

test("empty fields are left out", () => {
  assert.deepEqual(buildRecord(controls(["bid", ""], ["points[0]", " "]), {}, 3), {});
});

test("a started list has one item for each seat", () => {
  assert.deepEqual(buildRecord(controls(["points[1]", "120"]), {}, 3), { points: [null, 120, null] });
});

test("gaps within a list become null", () => {
  assert.deepEqual(buildRecord(controls(["actors[1].dice[2]", "5"]), {}, 3), { actors: [null, { dice: [null, null, 5] }, null] });
});

test("initial values of the form are included", () => {
  const blank = { tokens: [null, null, null], treats: [{}, {}, {}] };
  const filled = controls(["tokens[0]", "5"], ["treats[2].ghost", "1"], ["grid_left", "52"]);
  assert.deepEqual(buildRecord(filled, blank, 3), { tokens: [5, null, null], treats: [{}, {}, { ghost: 1 }], grid_left: 52 });
  assert.deepEqual(blank, { tokens: [null, null, null], treats: [{}, {}, {}] });
});

test("null is replaced by a container along a path", () => {
  assert.deepEqual(buildRecord(controls(["actors[0].declared", "pair", readAs("text")]), { actors: [null, null] }, 2), {
    actors: [{ declared: "pair" }, null],
  });
});

test("JSON is parsed and objects are merged", () => {
  const filled = controls(["contract", '{"tricks": 4}', readAs("json")], ["contract.bidder", "2"], ["contract", '{"solo": true}', readAs("json")], ["difficulty", "true", readAs("json")]);
  assert.deepEqual(buildRecord(filled), { contract: { tricks: 4, bidder: 2, solo: true }, difficulty: true });
});

test("an object at no path is merged into the record itself", () => {
  assert.deepEqual(buildRecord(controls(["", '{"kind": "claim", "seat": 2}', readAs("json")], ["cell", "1,2", readAs("cell")])), {
    kind: "claim",
    seat: 2,
    cell: [1, 2],
  });
});

test("bids are pairs and lists of words keep their length", () => {
  const filled = controls(["bids", "0:90 1:96 2:pass", readAs("bids")], ["plays", " d20:17  d4:3 ", readAs("words")]);
  assert.deepEqual(buildRecord(filled, {}, 4), { bids: [[0, 90], [1, 96], [2, "pass"]], plays: ["d20:17", "d4:3"] });
});

test("texts at one path are joined in the order of the form", () => {
  assert.deepEqual(buildRecord(controls(["trump", "8", readAs("joined")], ["trump", "H", readAs("joined")])), { trump: "8H" });
  assert.deepEqual(buildRecord(controls(["trump", "8", readAs("joined")], ["trump", "", readAs("joined")])), { trump: "8" });
});

test("counts are grouped by kind and other text is unchanged", () => {
  const counts = (value) => buildRecord(controls(["options.treats", value, readAs("counts")])).options.treats;
  assert.deepEqual(counts("bomb 1, evil eye 4"), { bomb: 1, evil_eye: 4 });
  assert.deepEqual(counts("Candy 12; ghost 2,"), { candy: 12, ghost: 2 });
  assert.equal(counts("bombs, 3"), "bombs, 3");
});

test("default values are left out", () => {
  const filled = (value) => controls(["ended", value, readAs("json", { default: "false" })]);
  assert.deepEqual(buildRecord(filled("false")), {});
  assert.deepEqual(buildRecord(filled("true")), { ended: true });
});

test("an exclusive field removes all others but the bids", () => {
  const filled = controls(["passed_out", "true", readAs("json", { exclusive: true })], ["contract.bid", "90"], ["bids", "0:pass", readAs("bids")]);
  assert.deepEqual(buildRecord(filled), { passed_out: true, bids: [[0, "pass"]] });
});

test("empty seats between players are closed", () => {
  const filled = controls(["players[0]", " Ann ", readAs("text")], ["players[1]", "", readAs("text")], ["players[3]", "Bo", readAs("text")]);
  assert.deepEqual(buildRecord(filled, {}, 6), { players: ["Ann", "Bo"] });
  assert.deepEqual(buildRecord(filled, { players: [] }, 6), { players: ["Ann", "Bo"] });
});

test("a name of digits is still a name", () => {
  assert.deepEqual(buildRecord(controls(["players[0]", "7", readAs("text")])), { players: ["7"] });
});

/* The parts of a form that are read. */
const control = (type, value, dataset, more = {}) => ({ type, value, dataset, checked: false, matches: () => Boolean(more.disabled), ...more });
const form = (elements, dataset = {}) => ({ elements, dataset });

test("a form submits checked choices and the tapped button", () => {
  const pass = control("submit", "pass", { path: "kind", format: "text" });
  const elements = [
    control("text", "120", { path: "points[0]" }),
    control("text", "99", { path: "points[1]" }, { disabled: true }),
    control("radio", "1", { path: "contract.bidder" }),
    control("radio", "2", { path: "contract.bidder" }, { checked: true }),
    control("checkbox", "true", { path: "passed_out", format: "json", exclusive: "" }),
    control("hidden", "secret", {}),
    pass,
    control("submit", "claim", { path: "kind", format: "text" }),
  ];
  const shown = form(elements, { emptyRecord: '{"first_bidder": 0}', seats: "2" });
  assert.deepEqual(readBody(shown), { first_bidder: 0, points: [120, null], contract: { bidder: 2 } });
  assert.equal(readBody(shown, pass).kind, "pass");
});

test("records of all games match those of the server", () => {
  const cases = JSON.parse(readFileSync(new URL("record_cases.json", import.meta.url), "utf8"));
  for (const { game, controls: caseControls, body, blank, seats } of cases) {
    const filled = caseControls.map(({ part, exclusive, ...control }) => ({ ...control, part: part && Number(part), exclusive: exclusive !== undefined }));
    assert.deepEqual(buildRecord(filled, blank, seats), body, game);
  }
});

const entry = (kind, more = {}) => ({ key: "k", kind, address: "abc", phone: "", entered_at: "", number: 3, ...more });

test("last body of a hand includes local and server corrections but not refusals", () => {
  const held = { record: { meta: { tricky: { log: [{ kind: "enter", hand: 1, body: "first" }, { kind: "enter", hand: 2, body: "second" }] } } } };
  assert.equal(lastBody(2, held, []), "second");
  assert.equal(lastBody(1, held, [entry("replace", { number: 1, body: "corrected" })]), "corrected");
  assert.equal(lastBody(3, held, [entry("enter", { body: "third" }), entry("contract", { body: "begun" })]), "third");
  assert.equal(lastBody(3, held, [entry("enter", { body: "third", state: "refused" })]), undefined);
  assert.equal(lastBody(1, undefined, []), undefined);
});
