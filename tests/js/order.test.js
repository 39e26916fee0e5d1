import assert from "node:assert/strict";
import { test } from "node:test";
import { countShownSeats, moveName, togglePlayer } from "../../scoring/js/seats.js";

test("moving a name closes the gap", () => {
  assert.deepEqual(moveName(["Ann", "Bo", "Cy"], 0, 2), ["Bo", "Cy", "Ann"]);
  assert.deepEqual(moveName(["Ann", "Bo", "Cy"], 2, 0), ["Cy", "Ann", "Bo"]);
});

test("one empty seat is shown within the limits of the game", () => {
  const seats = { least: 2, most: 5 };
  assert.equal(countShownSeats(["", "", "", "", ""], seats), 2);
  assert.equal(countShownSeats(["Ann", "Bo", "", "", ""], seats), 3);
  assert.equal(countShownSeats(["Ann", "Bo", "Cy", "Di", "Ed"], seats), 5);
});

test("players beyond the seats of the game are still shown", () => {
  assert.equal(countShownSeats(["", "", "", "", "", "Flo"], { least: 2, most: 4 }), 6);
});

test("tapping a player takes the first empty seat or leaves it", () => {
  assert.deepEqual(togglePlayer(["Ann", "", "Cy"], "Bo"), ["Ann", "Bo", "Cy"]);
  assert.deepEqual(togglePlayer(["Ann", "Bo", "Cy"], "Ann"), ["Bo", "Cy", ""]);
  assert.deepEqual(togglePlayer(["Ann", "Bo"], "Cy"), ["Ann", "Bo"]);
});
