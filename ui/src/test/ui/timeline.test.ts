import assert from "node:assert/strict";
import { test } from "node:test";
import { others } from "../../main/ui/pages/run/others.ts";
import { axisOf, drawn, moved, readZoom, Timeline, writeZoom, zoomed, ALL, type Entry } from "../../main/ui/pages/run/timeline.ts";

let seq = 0;
const BEGIN = Date.parse("2026-01-01T00:00:00Z");
const entry = (at: number, type: string, more: Partial<Entry> = {}): Entry => ({
  seq: ++seq,
  at: new Date(BEGIN + at).toISOString(),
  type,
  step: "pay",
  ...more,
});
const whole = (at: number, type: string, more: Partial<Entry> = {}) => entry(at, type, { step: null, ...more });
const read = (...entries: Entry[]) => {
  const timeline = new Timeline();
  timeline.add(entries);
  return timeline;
};
const spans = (timeline: Timeline, row: number) =>
  timeline.rows[row]!.segments.map((one) => [one.span, one.from - BEGIN, one.to === null ? null : one.to - BEGIN]);

test("attempts and the pauses between them are parts of one bar", () => {
  const timeline = read(
    whole(0, "accepted"),
    entry(10, "intent", { attempt: 1, key: "A-1", effect: "e-1" }),
    entry(30, "not-applied", { attempt: 1 }),
    entry(90, "intent", { attempt: 2 }),
    entry(100, "doubt", { attempt: 2 }),
    entry(150, "intent", { attempt: 3 }),
    entry(170, "done", { attempt: 3 }),
  );
  assert.deepEqual(spans(timeline, 1), [
    ["sent", 10, 30],
    ["backoff", 30, 90],
    ["sent", 90, 100],
    ["doubt", 100, 150],
    ["sent", 150, 170],
  ]);
  assert.equal(timeline.rows[1]!.state, "done");
  assert.deepEqual(timeline.rows[1]!.segments.map((one) => one.isLost ?? false), [true, false, true, false, false]);
  assert.equal(timeline.rows[1]!.attempts, 3);
  assert.equal(timeline.rows[1]!.key, "A-1");
});

test("each item of a loop and each round is a row of its own", () => {
  const timeline = read(
    entry(0, "intent", { item: "a" }),
    entry(5, "intent", { item: "b" }),
    entry(7, "done", { item: "a" }),
    entry(9, "step-done", { step: "ask", round: 2 }),
  );
  assert.deepEqual(timeline.rows.map((row) => row.id), ["pay|a", "pay|b", "ask||2"]);
  assert.deepEqual(spans(timeline, 0), [["sent", 0, 7]]);
  assert.deepEqual(spans(timeline, 1), [["sent", 5, null]]);
});

test("what a run undoes is a row of its own", () => {
  const timeline = read(
    entry(0, "intent", { effect: "e-1" }),
    entry(5, "done", { effect: "e-1" }),
    entry(7, "intent", { step: "pay.undo", effect: "e-2" }),
    entry(9, "done", { step: "pay.undo", effect: "e-2" }),
  );
  assert.deepEqual(timeline.rows.map((row) => [row.id, row.isUndo]), [["pay", false], ["pay.undo", true]]);
});

test("an end closes what was open, and pages that overlap count once", () => {
  const timeline = new Timeline();
  const first = [entry(0, "wait"), entry(50, "intent", { step: "send" })];
  timeline.add(first);
  timeline.add([...first, whole(80, "ended", { state: "canceled" })]);
  assert.equal(timeline.count, 3);
  assert.deepEqual(spans(timeline, 0), [["waiting", 0, 80]]);
  assert.equal(timeline.endedAt, BEGIN + 80);
});

test("the parent is read from the first entry", () => {
  assert.equal(read(whole(0, "accepted", { decision: "run r-2 on release 1, started by run r-1" })).parent, "r-1");
  assert.equal(read(whole(0, "accepted", { decision: "run r-2 on release 1, started by ada (t-1)" })).parent, null);
});

test("three idle days take no more room than the work beside them", () => {
  const day = 86_400_000;
  const timeline = read(
    entry(0, "intent"),
    entry(1000, "done"),
    entry(1000, "wait", { step: "pause" }),
    entry(3 * day, "wait-ended", { step: "pause" }),
    entry(3 * day, "intent", { step: "send" }),
    entry(3 * day + 1000, "done", { step: "send" }),
  );
  const axis = axisOf(timeline.rows, BEGIN + 3 * day + 1000);
  assert.equal(axis.gaps.length, 1);
  const paid = axis.at(BEGIN + 1000);
  assert.ok(paid > 0.3 && paid < 0.5);
  assert.ok(axis.at(BEGIN + 3 * day) - paid < 0.25);
  for (const at of [0, 500, day, 3 * day + 400]) {
    assert.ok(Math.abs(axis.instant(axis.at(BEGIN + at)) - BEGIN - at) < 10);
  }
});

test("the axis rises with time, and has a place for a run of one instant", () => {
  const timeline = read(entry(0, "step-done"), entry(0, "step-done", { step: "b" }));
  const axis = axisOf(timeline.rows, BEGIN);
  assert.ok(axis.at(BEGIN) >= 0 && axis.at(BEGIN + 5) <= 1);
  const far = read(entry(0, "intent"), entry(10, "not-applied"), entry(5000, "intent"), entry(5010, "not-applied"), entry(90_000, "intent"));
  const long = axisOf(far.rows, BEGIN + 90_010);
  let before = -1;
  for (let at = 0; at <= 90_010; at += 37) {
    assert.ok(long.at(BEGIN + at) >= before);
    before = long.at(BEGIN + at);
  }
});

test("a zoom stays inside, is kept in the address and cuts bars", () => {
  assert.deepEqual(zoomed(ALL, 0.5), { from: 0.25, to: 0.75 });
  assert.deepEqual(moved({ from: 0.5, to: 1 }, 1), { from: 0.5, to: 1 });
  assert.deepEqual(zoomed({ from: 0, to: 0.5 }, 4), ALL);
  assert.equal(writeZoom(ALL), null);
  assert.deepEqual(readZoom(writeZoom({ from: 0.25, to: 0.5 })), { from: 0.25, to: 0.5 });
  assert.deepEqual(readZoom("7-<b>"), ALL);
  const timeline = read(entry(0, "intent"), entry(100, "done"));
  const axis = axisOf(timeline.rows, BEGIN + 100);
  const bars = drawn(timeline.rows[0]!, axis, { from: 0.5, to: 0.75 }, BEGIN + 100);
  assert.deepEqual(bars.map((bar) => [bar.left, bar.width]), [[0, 1]]);
});

test("20,000 entries are read and placed at once", () => {
  const entries: Entry[] = [];
  for (let i = 0; i < 10_000; i++) {
    entries.push(entry(i * 10, "intent", { item: "i" + i, attempt: 1 }), entry(i * 10 + 5, "done", { item: "i" + i, attempt: 1 }));
  }
  // Other work on the machine can only make a try slower.
  let best = Infinity;
  for (let i = 0; i < 5 && best >= 1000; i++) {
    const before = performance.now();
    const timeline = read(...entries);
    const axis = axisOf(timeline.rows, BEGIN);
    best = Math.min(best, performance.now() - before);
    assert.ok(axis.end > axis.begin);
    assert.equal(timeline.rows.length, 10_000);
  }
  assert.ok(best < 1000);
});

test("a step of an unknown kind has a mark and a state, and what it says is shown", () => {
  const timeline = read(whole(0, "accepted"), entry(10, "thought", { step: "think", tokens: { input: 12 }, model: "m-1" } as Partial<Entry>), whole(20, "ended"));
  const row = timeline.rows[1]!;
  assert.deepEqual(spans(timeline, 1), [["worked", 10, 10]]);
  assert.equal(row.state, "done");
  assert.deepEqual(others(row.entries[0]!), [["tokens", '{"input": 12}'], ["model", "m-1"]]);
});
