import assert from "node:assert/strict";
import { test } from "node:test";
import { moved, seatsShown, toggled } from "../../scoring/js/seats/order.js";

test("a name moves to another seat, and the others close up", () => {
  assert.deepEqual(moved(["Ann", "Bo", "Cy"], 0, 2), ["Bo", "Cy", "Ann"]);
  assert.deepEqual(moved(["Ann", "Bo", "Cy"], 2, 0), ["Cy", "Ann", "Bo"]);
});

test("one more seat than are taken is shown, within those of the game", () => {
  const seats = { least: 2, most: 5 };
  assert.equal(seatsShown(["", "", "", "", ""], seats), 2);
  assert.equal(seatsShown(["Ann", "Bo", "", "", ""], seats), 3);
  assert.equal(seatsShown(["Ann", "Bo", "Cy", "Di", "Ed"], seats), 5);
});

test("whoever sits beyond the seats of the game is shown all the same", () => {
  assert.equal(seatsShown(["", "", "", "", "", "Flo"], { least: 2, most: 4 }), 6);
});

test("a player who is tapped takes the first empty seat, or leaves his", () => {
  assert.deepEqual(toggled(["Ann", "", "Cy"], "Bo"), ["Ann", "Bo", "Cy"]);
  assert.deepEqual(toggled(["Ann", "Bo", "Cy"], "Ann"), ["Bo", "Cy", ""]);
  assert.deepEqual(toggled(["Ann", "Bo"], "Cy"), ["Ann", "Bo"]);
});
