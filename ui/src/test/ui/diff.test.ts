import assert from "node:assert/strict";
import { test } from "node:test";
import { diff, folded } from "../../main/ui/core/diff.ts";

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

test("long stretches that stay the same are folded, those near a change are not", () => {
  const lines = Array.from({ length: 30 }, (_, i) => "line " + i);
  const changed = lines.with(15, "other");
  const blocks = folded(diff(lines.join("\n"), changed.join("\n")));
  assert.deepEqual(
    blocks.map((block) => [block.isFolded, block.lines.length]),
    [
      [true, 12],
      [false, 8],
      [true, 11],
    ],
  );
  assert.equal(blocks.flatMap((block) => block.lines).length, 31);
});

test("texts that are equal or short are shown whole", () => {
  const same = folded(diff("a\nb\nc\nd\ne\nf\ng\nh", "a\nb\nc\nd\ne\nf\ng\nh"));
  assert.deepEqual(same.map((block) => block.isFolded), [false]);
  assert.deepEqual(folded(diff("a\nb\nc\nd", "a\nb\nc\nx")).map((block) => block.isFolded), [false]);
});
