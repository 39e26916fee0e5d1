import assert from "node:assert/strict";
import { test } from "node:test";
import { pollDelay } from "../../scoring/js/live.js";

const MINUTE = 60000;

test("a sheet polls less often the longer nothing changes", () => {
  const pauses = [0, 6 * MINUTE, 31 * MINUTE].map((quiet) => pollDelay(quiet, 0.5));
  assert.deepEqual(pauses, [1200, 5000, 15000]);
});

test("phones do not all poll at once", () => {
  assert.ok(pollDelay(0, 0) < 1200 && pollDelay(0, 1) > 1200);
});
