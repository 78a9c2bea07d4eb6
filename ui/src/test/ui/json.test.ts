import assert from "node:assert/strict";
import { test } from "node:test";
import { Exact, glimpse, parse, plain, print, size } from "../../main/ui/core/json.ts";

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

test("a glimpse is one short line, however large the value is", () => {
  assert.equal(glimpse({ orderId: "A-1", lines: [1, 2], total: 40, mail: "a@example.com" }, "A-1"), "lines: [2] · total: 40 · mail: a@example.com");
  assert.ok(glimpse({ text: "x".repeat(1_000_000), more: "y".repeat(1_000_000) }, "").length < 200);
  assert.equal(glimpse("plain", ""), "plain");
  assert.equal(glimpse(null, ""), "");
});

test("a character that turns the text around it, or is not seen, is written as an escape", () => {
  assert.equal(plain('"a\u202egnp.exe\u2069"'), '"a\\u202egnp.exe\\u2069"');
  assert.equal(plain('"Köln 👩‍👧 שלום"'), '"Köln 👩‍👧 שלום"');
});
