import assert from "node:assert/strict";
import { test } from "node:test";
import { onceWords } from "../../main/ui/pages/run/once.ts";

test("the first line of a run says what was done, and how often it was stopped", () => {
  assert.equal(onceWords(["done", "done", "doubt", "done"], 2), "4 effects: 3 done, 1 in doubt; 2 repeats stopped");
  assert.equal(onceWords(["done"], 0), "1 effect: 1 done");
  assert.equal(onceWords(["done"], 0, 1), "2 effects: 1 done, 1 answered from the ledger");
  assert.equal(onceWords([], 1, 2), "2 effects: 2 answered from the ledger; 1 repeat stopped");
  assert.equal(onceWords([], 1), "It has no effects; 1 repeat stopped");
});
