/* Names and values that people enter never change shared prototypes. */

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { readFields, recordHead, rematchHead } from "../../scoring/js/phone/queue.js";
import { block, canSend } from "../../scoring/js/phone/queue.js";
import { buildRecord } from "../../scoring/js/phone/record.js";
import { findRefusals } from "../../scoring/js/phone/queue.js";

const NAMES = ["__proto__", "constructor", "prototype", "hasOwnProperty", "toString"];
const HOSTILE = '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}';
const before = Reflect.ownKeys(Object.prototype);

afterEach(() => {
  assert.deepEqual(Reflect.ownKeys(Object.prototype), before);
  assert.equal(/** @type {any} */ ({}).polluted, undefined);
  assert.equal(/** @type {any} */ ([]).polluted, undefined);
  assert.equal(/** @type {any} */ (Object).polluted, undefined);
});

test("no path reaches a prototype", () => {
  for (const name of ["__proto__", "constructor", "prototype", "constructor.prototype"]) {
    for (const path of [`${name}.polluted`, `contract.${name}.polluted`, `actors[0].${name}.polluted`, name]) {
      assert.deepEqual(buildRecord([{ path, value: "1" }], { actors: [{}] }, 1).polluted, undefined, path);
      buildRecord([{ path, value: HOSTILE, as: "json" }], { contract: {}, actors: [{}] }, 1);
    }
  }
});

test("values along a path stay unchanged", () => {
  assert.deepEqual(buildRecord([{ path: "contract.__proto__.bid", value: "1" }, { path: "contract.bid", value: "96" }]), {
    contract: { bid: 96 },
  });
});

test("JSON and counts with these names are ordinary values", () => {
  for (const path of ["", "contract", "treats[0]"]) buildRecord([{ path, value: HOSTILE, as: "json" }], { contract: {}, treats: [{}] }, 1);
  for (const name of NAMES) buildRecord([{ path: "mix", value: `${name} 3`, as: "counts" }], { mix: {} });
});

test("players and matches may have these names", () => {
  const filled = NAMES.map((value, seat) => ({ path: `players[${seat}]`, value, as: "text" }));
  assert.deepEqual(buildRecord(filled, {}, NAMES.length).players, NAMES);
  const body = JSON.parse(HOSTILE);
  assert.deepEqual(rematchHead({ ...recordHead(body), players: NAMES }, true).players.at(-1), NAMES[0]);
  const blockers = new Map();
  for (const address of NAMES) {
    const entry = /** @type {any} */ ({ address, kind: "enter", number: 1, key: address, state: "refused" });
    assert.equal(canSend(blockers, entry), true, address);
    block(blockers, entry, "refused");
    assert.deepEqual([...findRefusals([entry], null).keys()], [entry]);
  }
});

test("form fields may have these names", () => {
  const real = globalThis.FormData;
  globalThis.FormData = /** @type {any} */ (class { constructor(form) { return form; } });
  const shown = NAMES.flatMap((name) => [[name, "1"], [name, "2"]]);
  const fields = readFields(/** @type {any} */ ([...shown, ["points", "3"]]), /** @type {any} */ ({ name: "__proto__", value: "4" }));
  globalThis.FormData = real;
  assert.equal(fields.points, "3");
  assert.deepEqual(Object.getOwnPropertyDescriptor(fields, "__proto__")?.value, "4");
  assert.deepEqual(Object.getOwnPropertyDescriptor(fields, "constructor")?.value, ["1", "2"]);
});
