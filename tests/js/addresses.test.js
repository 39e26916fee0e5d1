import assert from "node:assert/strict";
import { test } from "node:test";
import { correctionPath, isCorrection, isScorepadPage, matchAddress, pathOf } from "../../scoring/js/phone/addresses.js";

const ORIGIN = "https://club.example";
const at = (path) => new URL(path, ORIGIN);

test("only scorepad pages are rendered on the phone", () => {
  for (const path of ["/", "/pad/", "/pad/bring/", "/matches/new/", "/m/abc/", "/m/abc/hands/new/", "/who-won/db2t/"]) {
    assert.equal(isScorepadPage(at(path), ORIGIN), true, path);
  }
  for (const path of ["/clubs/", "/pad/pack/1/", "/m/abc/qr.svg", "/m/abc/record.json", "/m/abc/picture.png", "https://else.example/"]) {
    assert.equal(isScorepadPage(at(path), ORIGIN), false, path);
  }
});

test("match address is part of its page addresses", () => {
  assert.equal(matchAddress(at("/m/abc/hands/3/")), "abc");
  assert.equal(matchAddress(at("/who-won/")), undefined);
});

test("recognizes correction pages", () => {
  assert.equal(isCorrection(at("/m/abc/hands/3/correct/")), true);
  assert.equal(isCorrection(at("/m/abc/hands/3/tricks/")), true);
  assert.equal(isCorrection(at("/m/abc/hands/3/")), false);
  assert.equal(isCorrection(at("/m/abc/hands/new/tricks/")), false);
});

test("a hand is corrected with the form it was entered with", () => {
  const entry = { address: "abc", number: 3 };
  assert.equal(correctionPath({ ...entry, body: { points: [1, 2] } }), "/m/abc/hands/3/correct/");
  assert.equal(correctionPath({ ...entry, body: { played: ["R1"] } }), "/m/abc/hands/3/tricks/");
});

test("the fragment is not part of the path", () => {
  assert.equal(pathOf(at("/m/abc/?big=1#share")), "/m/abc/?big=1");
});
