import assert from "node:assert/strict";
import { test } from "node:test";
import { Exact, parse, print, size } from "../../main/ui/core/json.ts";

const hasSources = JSON.parse("1", ((_: string, value: unknown, context?: { source?: string }) => context?.source ?? value) as never) === "1";

test("a number that JavaScript would change stays as it was written", () => {
  if (!hasSources) return; // this Node is older than the browsers that we show it in
  const read = parse('{"id": 9007199254740993, "total": 40.00, "count": 3}') as Record<string, unknown>;
  assert.ok(read.id instanceof Exact);
  assert.equal(String(read.id), "9007199254740993");
  assert.equal(String(read.total), "40.00");
  assert.equal(read.count, 3);
});

test("a value is printed with its numbers as they were", () => {
  assert.equal(print({ id: new Exact("9007199254740993"), list: [1, "a"], none: {} }, 0), '{"id": 9007199254740993, "list": [1, "a"], "none": {}}');
  assert.equal(print({ a: [1] }), '{\n  "a": [\n    1\n  ]\n}');
  assert.equal(print(null), "null");
});

test("the size counts bytes and not characters", () => {
  assert.equal(size("ä"), 4);
});
