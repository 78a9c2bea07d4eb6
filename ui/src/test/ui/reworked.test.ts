import assert from "node:assert/strict";
import { test } from "node:test";
import { reworked } from "../../main/ui/pages/desk/reworked.ts";

const round = (number: number, values: unknown, decision = "rework", run = "r-1") => ({ run, step: "release", round: number, decision: { decision, values } });
const now = { run: "r-1", step: "release", round: 3, decision: null };

test("a rework begins with what the last rework of the same question gave", () => {
  const input = { id: "A", text: "first", cents: 1 };
  assert.deepEqual(reworked(now, [round(1, { text: "one" }), round(2, { text: "two" })], input), { id: "A", text: "two", cents: 1 });
  assert.deepEqual(reworked(now, [round(2, { text: "other run" }, "rework", "r-2"), round(3, { text: "later" })], input), input);
  assert.deepEqual(reworked(now, [round(2, { text: "said no" }, "reject")], input), input);
  assert.deepEqual(reworked(now, [round(2, ["a", "list"])], input), ["a", "list"]);
});
