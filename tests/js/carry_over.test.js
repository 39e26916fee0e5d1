import assert from "node:assert/strict";
import { test } from "node:test";
import { lastBody } from "../../scoring/js/phone/record.js";

const entry = (kind, more = {}) => ({ key: "k", kind, address: "abc", phone: "", entered_at: "", number: 3, ...more });

test("last body of a hand includes local and server corrections but not refusals", () => {
  const held = { record: { meta: { tricky: { log: [{ kind: "enter", hand: 1, body: "first" }, { kind: "enter", hand: 2, body: "second" }] } } } };
  assert.equal(lastBody(2, held, []), "second");
  assert.equal(lastBody(1, held, [entry("replace", { number: 1, body: "corrected" })]), "corrected");
  assert.equal(lastBody(3, held, [entry("enter", { body: "third" }), entry("contract", { body: "begun" })]), "third");
  assert.equal(lastBody(3, held, [entry("enter", { body: "third", state: "refused" })]), undefined);
  assert.equal(lastBody(1, undefined, []), undefined);
});
