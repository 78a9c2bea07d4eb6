import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, duration, plainly, plural, shortened } from "../../main/ui/core/format.ts";
import { relative } from "../../main/ui/core/time.ts";

test("bytes have a unit that keeps them short", () => {
  assert.deepEqual([0, 1, 999, 1000, 15_300, 999_999, 1_048_576].map(bytes), ["0 bytes", "1 byte", "999 bytes", "1.0 kB", "15 kB", "1.0 MB", "1.0 MB"]);
});

test("durations have their two largest units", () => {
  assert.deepEqual([0, 340, 1500, 59_000, 61_000, 3_600_000, 7_500_000, 90_000_000].map(duration), ["0 ms", "340 ms", "1.5 s", "59 s", "1 min 1 s", "1 h", "2 h 5 min", "1 d 1 h"]);
});

test("a span that is nearly a minute is a minute", () => {
  assert.deepEqual([59_400, 59_600, 119_700, 3_599_900].map(duration), ["59 s", "1 min", "2 min", "1 h"]);
});

test("nouns follow their counts", () => {
  assert.equal(plural(1, "run"), "1 run");
  assert.equal(plural(0, "run"), "0 runs");
});

test("a long key keeps its begin and its end", () => {
  assert.equal(shortened("abc", 5), "abc");
  assert.equal(shortened("abcdefghij", 5).length, 5);
});

test("an instant is ago or ahead", () => {
  const at = Date.parse("2026-11-18T10:00:00Z");
  assert.equal(relative("2026-11-18T09:59:00Z", at), "1 min ago");
  assert.equal(relative("2026-11-18T10:00:05Z", at), "in 5 s");
  assert.equal(relative("2026-11-18T10:00:00Z", at), "now");
});

test("a message is shown without the class in front of it", () => {
  assert.equal(plainly("java.io.EOFException: closed"), "closed");
  assert.equal(plainly("the process ended: at once"), "the process ended: at once");
  assert.equal(plainly("java.io.EOFException: "), "java.io.EOFException: ");
});
