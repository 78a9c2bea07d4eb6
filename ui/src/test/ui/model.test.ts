import assert from "node:assert/strict";
import { test } from "node:test";
import { modelSum, modelUse } from "../../main/ui/pages/run/model.ts";
import { Timeline, type Entry } from "../../main/ui/pages/run/timeline.ts";
import { Exact } from "../../main/ui/core/json.ts";

const answer = (more: object = {}, cost: unknown = new Exact("0.00010")) => ({
  text: "yes",
  value: null,
  finish: "stop",
  model: "small-1",
  usage: { inputTokens: 20, cachedInputTokens: 0, outputTokens: 5, cost, attempts: 1, calls: [{ at: "2026-01-01T00:00:00Z", state: "answered", cost, isCostKnown: true }] },
  ...more,
});

let seq = 0;
const done = (step: string, output: unknown, type = "done"): Entry => ({ seq: ++seq, at: "2026-01-01T00:00:00Z", type, step, effect: "e-" + step, output }) as Entry;
const rows = (...entries: Entry[]) => {
  const timeline = new Timeline();
  timeline.add(entries);
  return timeline.rows;
};

test("an answer of a model tells its tokens, its cost and why it was corrected", () => {
  const use = modelUse(answer({ problems: ["kind: required"], calls: [{ id: "1", tool: "price", input: {} }] }))!;
  assert.deepEqual([use.model, use.input, use.output, use.cost], ["small-1", 20, 5, 0.0001]);
  assert.deepEqual([use.problems, use.tools], [["kind: required"], ["price"]]);
  assert.equal(use.calls.length, 1);
});

test("what is no answer of a model has used nothing", () => {
  for (const one of [null, "text", [], { usage: "much" }, { usage: {} }, { finish: "stop" }]) assert.equal(modelUse(one), null);
});

test("the questions of a run are summed, and found answers cost nothing", () => {
  const sum = modelSum(rows(done("ask", answer({ problems: ["no"] })), done("ask.2", answer()), done("other", answer(), "reused"), done("pay", { id: 1 })));
  assert.deepEqual({ ...sum!, cost: sum!.cost!.toFixed(4) }, { questions: 2, repairs: 1, found: 1, input: 40, output: 10, cost: "0.0002" });
  assert.equal(modelSum(rows(done("pay", { id: 1 }))), null);
  assert.equal(modelSum(rows(done("ask", answer({}, null))))!.cost, null);
});
