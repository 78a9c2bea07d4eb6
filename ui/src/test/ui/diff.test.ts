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

/** Puts the old text, or the new one, together from the difference. */
function side(before: string, after: string, of: "old" | "new"): string {
  return diff(before, after).flatMap((line) => (line.kind === "same" || line.kind === of ? [line.text] : [])).join("\n");
}

test("both texts can be read from the difference, whatever they are", () => {
  let seed = 7;
  const draw = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let i = 0; i < 300; i++) {
    const [before, after] = [0, 1].map(() => Array.from({ length: 1 + draw(12) }, () => "abc"[draw(3)]).join("\n")) as [string, string];
    assert.equal(side(before, after, "old"), before);
    assert.equal(side(before, after, "new"), after);
  }
});

test("two lists of 10,000 items that differ here and there are compared line by line, and soon", () => {
  const before = Array.from({ length: 10_000 }, (_, i) => `  { "id": ${i}, "cents": ${i * 7} },`);
  const after = before.map((line, i) => (i % 100 === 5 ? line.replace("cents", "total") : line)).toSpliced(5000, 1);
  const begin = performance.now();
  const lines = diff(before.join("\n"), after.join("\n"));
  assert.equal(performance.now() - begin < 500, true);
  assert.deepEqual(["same", "old", "new"].map((kind) => lines.filter((line) => line.kind === kind).length), [9899, 101, 100]);
});

test("two lists of 10,000 items that have nothing in common are told apart soon", () => {
  const [before, after] = ["a", "b"].map((name) => Array.from({ length: 10_000 }, (_, i) => name + i).join("\n")) as [string, string];
  const begin = performance.now();
  assert.equal(diff(before, after).length, 20_000);
  assert.equal(performance.now() - begin < 500, true);
});
