import assert from "node:assert/strict";
import { test } from "node:test";
import { diff } from "../../main/ui/core/diff.ts";

const shown = (before: string, after: string) =>
  diff(before, after).map((line) => ({ same: " ", old: "-", new: "+" })[line.kind] + line.text);

test("lines that stay are kept, in order", () => {
  assert.deepEqual(shown("a\nb\nc", "a\nx\nc"), [" a", "-b", "+x", " c"]);
  assert.deepEqual(shown("a\nb\nc\nd", "b\nd\ne"), ["-a", " b", "-c", " d", "+e"]);
  assert.deepEqual(shown("same", "same"), [" same"]);
});

test("texts without a common line are old and new", () => {
  assert.deepEqual(shown("a", "b"), ["-a", "+b"]);
});
