import assert from "node:assert/strict";
import { test } from "node:test";
import { rowOf, stepped } from "../../main/ui/core/rows.ts";

test("the chosen row stays chosen when others come before it or go", () => {
  const chosen = stepped(stepped(null, ["a", "b", "c"], 1), ["a", "b", "c"], 1);
  assert.deepEqual(chosen, { place: "b", at: 1 });
  assert.equal(rowOf(chosen, ["new", "a", "b", "c"]), 2);
  assert.equal(rowOf(chosen, ["b", "c"]), 0);
  assert.equal(stepped(chosen, ["new", "a", "b", "c"], 1)?.place, "c");
});

test("after the chosen row is gone, keys go on where it was, and Enter opens none", () => {
  const chosen = { place: "b", at: 1 };
  assert.equal(rowOf(chosen, ["a", "c"]), -1);
  assert.equal(stepped(chosen, ["a", "c"], 1)?.place, "c");
  assert.equal(stepped(chosen, ["a", "c"], -1)?.place, "a");
  assert.equal(stepped(chosen, [], 1), null);
});

test("of rows that lead to the same place, one is chosen", () => {
  const places = ["a", "a", "b"];
  const second = stepped(stepped(null, places, 1), places, 1);
  assert.equal(rowOf(second, places), 1);
  assert.equal(stepped(second, places, 1)?.place, "b");
  assert.equal(stepped(null, places, -1)?.at, 0);
});
