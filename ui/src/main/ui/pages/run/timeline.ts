import type { Answer } from "../../api/client.ts";

export type Entry = Answer<"GET /api/runs/{id}/history">["items"][number];

/** What a step did for a part of its time. */
export type Span = "worked" | "sent" | "loop" | "queued" | "waiting" | "backoff" | "doubt" | "review";

/** A part of a bar: one attempt, or the pause after it. */
export interface Segment {
  span: Span;
  from: number;
  /** null: it lasts until now. */
  to: number | null;
  attempt: number | null;
  /** The attempt came to nothing, or no one knew what came of it. */
  isLost?: boolean;
}

/** How a step stands, as a word of {@link Status}. */
export type RowState = "pending" | "done" | "failed" | "retrying" | "waiting" | "doubt" | "review" | "reused" | "skipped" | "undone";

/** A step, or one item or round of it; or something that happened to the whole run. */
export interface Row {
  id: string;
  step: string | null;
  item: string | null;
  round: number | null;
  /** The name, in the history, of what happened to the run; null for a step. */
  event: string | null;
  key: string | null;
  effect: string | null;
  attempts: number;
  state: RowState;
  isUndo: boolean;
  segments: Segment[];
  entries: Entry[];
}

/** Which part of a bar begins with an entry; null ends the bar. Entries that are not here change nothing. */
const BEGINS: Record<string, Span | null> = {
  loop: "loop",
  intent: "sent",
  "not-applied": "backoff",
  "read-failed": "backoff",
  doubt: "doubt",
  absent: "backoff",
  review: "review",
  "review-first": "review",
  "abandoned-before": "review",
  held: "waiting",
  wait: "waiting",
  "callback-awaited": "waiting",
  "approval-asked": "waiting",
  called: "waiting",
  "call-awaited": "waiting",
  "call-retried": "waiting",
  "turn-awaited": "queued",
  lock: "queued",
  "wait-ended": null,
  "wait-settled": null,
  settled: null,
  done: null,
  failed: null,
  skipped: null,
  reused: null,
  conflict: null,
  refused: null,
  "call-failed": null,
  "call-stopped": null,
  "step-done": null,
  "step-failed": null,
  "step-settled": null,
  published: null,
  kv: null,
  branch: null,
  unlock: null,
  "item-done": null,
  "item-failed": null,
  "loop-ended": null,
  "effect-expired": null,
  "effect-erased": null,
};

const STATES: Record<string, RowState> = {
  intent: "pending",
  "not-applied": "retrying",
  "read-failed": "retrying",
  doubt: "doubt",
  absent: "retrying",
  review: "review",
  "review-first": "review",
  "abandoned-before": "review",
  held: "waiting",
  wait: "waiting",
  "callback-awaited": "waiting",
  "approval-asked": "waiting",
  called: "waiting",
  "call-awaited": "waiting",
  "call-retried": "waiting",
  "turn-awaited": "waiting",
  lock: "waiting",
  loop: "pending",
  done: "done",
  failed: "failed",
  skipped: "skipped",
  reused: "reused",
  conflict: "failed",
  refused: "skipped",
  overtaken: "skipped",
  "not-planned": "failed",
  "call-failed": "failed",
  "step-done": "done",
  "step-failed": "failed",
  "step-settled": "done",
  "wait-ended": "done",
  "wait-settled": "done",
  published: "done",
  "spawned-run": "done",
  kv: "done",
  branch: "done",
  unlock: "done",
  "item-done": "done",
  "item-failed": "failed",
  "loop-ended": "done",
  "effect-expired": "done",
  "effect-erased": "done",
};

/** Entries that tell a span without one that began it: the time since the entry before. */
const WORKED = new Set(["step-done", "step-failed", "read-failed", "published", "kv", "item-done", "item-failed"]);

/** Entries that end an attempt without an answer that counts. */
const LOST = new Set(["not-applied", "read-failed", "doubt", "review"]);

/** What the engine calls the compensation of a step, after its name. */
export const UNDO = ".undo";

/** Whether an effect takes back what another one did. */
export function isUndo(effect: { step: string }): boolean {
  return effect.step.endsWith(UNDO);
}

/** Events of the run that are a row of their own; the others are in the facts of the page. */
const QUIET = new Set(["slot", "occurred"]);

/**
 * Reads a history, page by page, into rows: one for each step, item and round, in the order in which they
 * began. It remembers where it was, so a long history is read once.
 */
export class Timeline {
  readonly rows: Row[] = [];
  private readonly byId = new Map<string, Row>();
  private readonly open = new Set<Row>();
  private last: number | null = null;
  private seen = 0;
  /** How many entries it has read. */
  count = 0;
  /** The run that started this one. */
  parent: string | null = null;
  endedAt: number | null = null;
  /** Whether the run has begun to undo its effects: from then on it never goes forward. */
  compensates = false;

  /** Takes the next entries; those that it already has are left out. */
  add(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.seq <= this.seen) continue;
      this.seen = entry.seq;
      this.count++;
      this.read(entry);
      this.last = Date.parse(entry.at);
    }
  }

  private read(entry: Entry): void {
    const at = Date.parse(entry.at);
    if (entry.type === "accepted") this.parent = /started by run (\S+)$/.exec(entry.decision ?? "")?.[1] ?? null;
    this.endedAt = entry.type === "ended" ? at : null;
    this.compensates ||= entry.type === "compensation-started";
    if (entry.step === null) {
      this.whole(entry, at);
      return;
    }
    const row = this.rowOf(entry, entry.step);
    row.entries.push(entry);
    row.key = entry.key ?? row.key;
    row.effect = entry.effect ?? row.effect;
    row.attempts = Math.max(row.attempts, entry.attempt ?? 0);
    const state = STATES[entry.type];
    if (state) row.state = entry.type === "lock" && !/wait/.test(entry.decision ?? "") ? "pending" : state;
    if (entry.type === "call-awaited" || entry.type === "called") row.state = stateOfCall(entry);
    this.draw(row, entry, at);
  }

  private draw(row: Row, entry: Entry, at: number): void {
    if (!(entry.type in BEGINS)) {
      // A step of a kind that this page does not know was there: a mark tells when.
      if (row.segments.length === 0) {
        row.segments.push({ span: "worked", from: at, to: at, attempt: null });
        if (row.state === "pending") row.state = "done";
      }
      return;
    }
    const current = row.segments.at(-1);
    const wasOpen = current?.to === null;
    if (wasOpen) {
      current.to = at;
      if (current.span === "sent" && LOST.has(entry.type)) current.isLost = true;
      this.open.delete(row);
    } else if (WORKED.has(entry.type) && this.last !== null && (row.segments.length === 0 || entry.type === "read-failed")) {
      // Nothing says when it began. If nothing else was under way, it was the entry before.
      row.segments.push({ span: "worked", from: this.open.size === 0 ? this.last : at, to: at, attempt: entry.attempt ?? null });
    }
    const next = row.state === "done" || row.state === "failed" ? null : BEGINS[entry.type];
    if (next) {
      row.segments.push({ span: next, from: at, to: null, attempt: entry.attempt ?? null });
      this.open.add(row);
    } else if (row.segments.length === 0) {
      row.segments.push({ span: "worked", from: at, to: at, attempt: null });
    }
  }

  private whole(entry: Entry, at: number): void {
    if (entry.type === "ended") this.closeAll(at);
    if (QUIET.has(entry.type)) {
      const queue = this.rows.findLast((row) => row.event === "queued");
      if (entry.type === "slot" && queue?.segments[0]) {
        queue.segments[0].to = at;
        queue.state = "done";
      }
      return;
    }
    const isQueued = entry.type === "queued" || entry.type === "turn-awaited";
    const row: Row = {
      ...EMPTY(),
      id: "#" + entry.seq,
      event: entry.type,
      key: entry.key ?? null,
      state: isQueued ? "waiting" : entry.type === "quarantined" ? "review" : entry.type === "code-missing" ? "retrying" : entry.type === "ended" && entry.error ? "failed" : "done",
      segments: [{ span: isQueued ? "queued" : "worked", from: at, to: isQueued ? null : at, attempt: null }],
      entries: [entry],
    };
    const before = this.rows.at(-1);
    if (before?.segments[0]?.span === "queued" && before.event) before.segments[0].to ??= at;
    this.rows.push(row);
    this.byId.set(row.id, row);
  }

  /** What a run left open when it ended, ends with it. */
  private closeAll(at: number): void {
    for (const row of this.open) row.segments.at(-1)!.to = at;
    this.open.clear();
  }

  private rowOf(entry: Entry, step: string): Row {
    const id = rowId(step, entry.item, entry.round);
    const known = this.byId.get(id);
    if (known) return known;
    const row: Row = { ...EMPTY(), id, step, item: entry.item ?? null, round: entry.round ?? null, isUndo: isUndo({ step }) };
    this.rows.push(row);
    this.byId.set(id, row);
    return row;
  }

  row(id: string): Row | undefined {
    return this.byId.get(id);
  }
}

function EMPTY(): Row {
  return { id: "", step: null, item: null, round: null, event: null, key: null, effect: null, attempts: 0, state: "pending", isUndo: false, segments: [], entries: [] };
}

function stateOfCall(entry: Entry): RowState {
  if (entry.state === "waiting") return "waiting";
  if (entry.state === "succeeded") return "done";
  return entry.error ? "failed" : entry.state ? "done" : "failed";
}

function rowId(step: string, item: string | null | undefined, round: number | null | undefined): string {
  return [step, item ?? "", round && round > 1 ? round : ""].join("|").replace(/\|+$/, "");
}

/** A stretch of time in which nothing was done, drawn shorter than it was. */
export interface Gap {
  from: number;
  to: number;
}

/** Places instants between 0 and 1, with long idle stretches made short. */
export interface Axis {
  begin: number;
  end: number;
  gaps: Gap[];
  at: (instant: number) => number;
  /** The instant at a place. */
  instant: (place: number) => number;
}

const BUSY = new Set<Span>(["worked", "sent"]);
/** A shorter stretch is drawn as it was. */
const SHORTEST = 400;

/**
 * Makes the axis of a timeline.
 *
 * @param now the instant until which open segments last
 */
export function axisOf(rows: readonly Row[], now: number): Axis {
  let begin = Infinity;
  let end = -Infinity;
  const busy: [number, number][] = [];
  for (const row of rows) {
    for (const one of row.segments) {
      const to = one.to ?? Math.max(now, one.from);
      if (one.from < begin) begin = one.from;
      if (to > end) end = to;
      if (one.span === "loop") continue; // its items are there
      if (BUSY.has(one.span)) busy.push([one.from, to]);
      else busy.push([one.from, one.from], [to, to]);
    }
  }
  if (begin === Infinity) begin = end = now;
  busy.sort((a, b) => a[0] - b[0]);
  const idle: Gap[] = [];
  let worked = 0;
  let until = begin;
  for (const [from, to] of busy) {
    if (from > until) idle.push({ from: until, to: from });
    if (to > until) {
      worked += to - Math.max(from, until);
      until = to;
    }
  }
  const most = shortened(idle, worked);
  const gaps = idle.filter((gap) => gap.to - gap.from > Math.max(SHORTEST, most * 1.5));
  return axisWith(begin, Math.max(end, begin + 1), gaps, most);
}

/** How long an idle stretch may be drawn: so that all of them take at most about half of the width. */
function shortened(idle: Gap[], worked: number): number {
  if (idle.length === 0) return Infinity;
  if (worked === 0) {
    const spans = idle.map((gap) => gap.to - gap.from).sort((a, b) => a - b);
    return Math.max(SHORTEST, 2 * spans[Math.floor((spans.length - 1) / 2)]!);
  }
  return Math.max(SHORTEST / 2, Math.min(worked * 0.2, worked / idle.length));
}

function axisWith(begin: number, end: number, gaps: Gap[], most: number): Axis {
  // Pieces: where each begins in time and on the drawing.
  const times = [begin];
  const places = [0];
  for (const gap of gaps) {
    times.push(gap.from, gap.to);
    const from = places.at(-1)! + (gap.from - times.at(-3)!);
    places.push(from, from + most);
  }
  const whole = places.at(-1)! + (end - times.at(-1)!) || 1;
  const find = (list: number[], value: number) => {
    let low = 0;
    let high = list.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (list[middle]! <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const slope = (i: number) => (i % 2 === 1 ? most / (times[i + 1]! - times[i]!) : 1);
  return {
    begin,
    end,
    gaps,
    at: (instant) => {
      const i = find(times, Math.min(Math.max(instant, begin), end));
      return Math.min(1, (places[i]! + (Math.min(Math.max(instant, begin), end) - times[i]!) * slope(i)) / whole);
    },
    instant: (place) => {
      const value = Math.min(Math.max(place, 0), 1) * whole;
      const i = find(places, value);
      return Math.min(end, times[i]! + (value - places[i]!) / slope(i));
    },
  };
}

/** The part of the axis that is seen: 0 to 1 is all of it. */
export interface Zoom {
  from: number;
  to: number;
}

export const ALL: Zoom = { from: 0, to: 1 };
const NEAREST = 0.0005;

/** Makes the part smaller or larger around its middle. */
export function zoomed(zoom: Zoom, factor: number): Zoom {
  const width = Math.min(1, Math.max(NEAREST, (zoom.to - zoom.from) * factor));
  const middle = (zoom.from + zoom.to) / 2;
  return held({ from: middle - width / 2, to: middle + width / 2 });
}

/** Moves the part by so much of its width. */
export function moved(zoom: Zoom, part: number): Zoom {
  const by = (zoom.to - zoom.from) * part;
  return held({ from: zoom.from + by, to: zoom.to + by });
}

function held({ from, to }: Zoom): Zoom {
  const width = Math.min(1, to - from);
  const begin = Math.min(Math.max(0, from), 1 - width);
  return { from: begin, to: begin + width };
}

export function readZoom(text: string | null): Zoom {
  const [from, to] = (text ?? "").split("-").map(Number);
  return from !== undefined && to !== undefined && from >= 0 && to <= 1 && to - from >= NEAREST ? { from, to } : ALL;
}

export function writeZoom(zoom: Zoom): string | null {
  return zoom.to - zoom.from >= 0.9999 ? null : zoom.from.toFixed(4) + "-" + zoom.to.toFixed(4);
}

/** A segment as it is drawn: in parts of the width that is seen. */
export interface Drawn {
  left: number;
  width: number;
  segment: Segment;
}

/** Places the segments of a row; those outside of the seen part are left out. */
export function drawn(row: Row, axis: Axis, zoom: Zoom, now: number): Drawn[] {
  const scale = 1 / (zoom.to - zoom.from);
  const found: Drawn[] = [];
  for (const segment of row.segments) {
    const left = (axis.at(segment.from) - zoom.from) * scale;
    const right = (axis.at(segment.to ?? Math.max(now, segment.from)) - zoom.from) * scale;
    if (right < 0 || left > 1) continue;
    const begin = Math.max(0, left);
    found.push({ left: begin, width: Math.max(0, Math.min(1, right) - begin), segment });
  }
  return found;
}

/** Whether a row has this text in its step, item or key. */
export function isFound(row: Row, typed: string): boolean {
  if (!typed) return true;
  const text = typed.toLowerCase();
  return [row.step, row.item, row.key, row.event, row.state].some((one) => one?.toLowerCase().includes(text));
}
