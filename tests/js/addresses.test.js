import assert from "node:assert/strict";
import { test } from "node:test";
import { matchAddress, correctionPath, isCorrection, isScorepadPage, pathOf } from "../../scoring/js/phone/addresses.js";

const ORIGIN = "https://club.example";
const at = (path) => new URL(path, ORIGIN);

test("pages of the scorepad are drawn here, and no others", () => {
  for (const path of ["/", "/pad/", "/pad/bring/", "/matches/new/", "/m/abc/", "/m/abc/hands/new/", "/who-won/db2t/"]) {
    assert.equal(isScorepadPage(at(path), ORIGIN), true, path);
  }
  for (const path of ["/clubs/", "/pad/pack/1/", "/m/abc/qr.svg", "/m/abc/record.json", "/m/abc/picture.png", "https://else.example/"]) {
    assert.equal(isScorepadPage(at(path), ORIGIN), false, path);
  }
});

test("the address of a match stands in those of its pages", () => {
  assert.equal(matchAddress(at("/m/abc/hands/3/")), "abc");
  assert.equal(matchAddress(at("/who-won/")), undefined);
});

test("a correction is told from other pages", () => {
  assert.equal(isCorrection(at("/m/abc/hands/3/correct/")), true);
  assert.equal(isCorrection(at("/m/abc/hands/3/tricks/")), true);
  assert.equal(isCorrection(at("/m/abc/hands/3/")), false);
  assert.equal(isCorrection(at("/m/abc/hands/new/tricks/")), false);
});

test("a hand is corrected in the way in which it was entered", () => {
  const entry = { address: "abc", number: 3 };
  assert.equal(correctionPath({ ...entry, body: { points: [1, 2] } }), "/m/abc/hands/3/correct/");
  assert.equal(correctionPath({ ...entry, body: { played: ["R1"] } }), "/m/abc/hands/3/tricks/");
});

test("a part of a page is no other place", () => {
  assert.equal(pathOf(at("/m/abc/?big=1#share")), "/m/abc/?big=1");
});
