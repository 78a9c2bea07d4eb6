import assert from "node:assert/strict";
import { test } from "node:test";
import { onceWords as words, statesOf } from "../../main/ui/pages/run/once.ts";

const onceWords = (states: string[], repeats: number, reused = 0) => words({ done: states, undos: [] }, repeats, reused);

test("an undo is no part of what was done", () => {
  const effects = [
    { state: "undone", isUndo: false },
    { state: "failed", isUndo: false },
    { state: "done", isUndo: true },
  ];
  assert.equal(words(statesOf(effects), 0), "2 effects: 1 undone, 1 failed");
  assert.equal(words({ done: ["done", "undoing"], undos: ["review", "done"] }, 1), "2 effects: 1 done, 1 undoing; undos: 1 in review; 1 repeat stopped");
});

test("the first line of a run says what was done, and how often it was stopped", () => {
  assert.equal(onceWords(["done", "done", "doubt", "done"], 2), "4 effects: 3 done, 1 in doubt; 2 repeats stopped");
  assert.equal(onceWords(["done"], 0), "1 effect: 1 done");
  assert.equal(onceWords(["done"], 0, 1), "2 effects: 1 done, 1 answered from the ledger");
  assert.equal(onceWords([], 1, 2), "2 effects: 2 answered from the ledger; 1 repeat stopped");
  assert.equal(onceWords([], 1), "It has no effects; 1 repeat stopped");
});
