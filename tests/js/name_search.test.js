import assert from "node:assert/strict";
import { test } from "node:test";
import { foldName, matchesQuery } from "../../tournaments/js/name_search.js";

test("a name is folded as on the server", () => {
  assert.equal(foldName("Émilie Großmann"), "emilie grossmann");
  assert.equal(foldName("Zoë O’Brien"), "zoe obrien");
  assert.equal(foldName("Søren Kjær"), "soren kjaer");
  assert.equal(foldName("Łukasz İnce-Çelik"), "lukasz ince-celik");
});

test("each word may be any part of a name, in any order, or the player's number", () => {
  assert.ok(matchesQuery("anna schmidt", "7", ""));
  assert.ok(matchesQuery("anna schmidt", "7", "Midt  ÀN"));
  assert.ok(!matchesQuery("anna schmidt", "7", "anna berg"));
  assert.ok(matchesQuery("anna schmidt", "7", "7"));
  assert.ok(!matchesQuery("anna schmidt", "17", "7"));
});
