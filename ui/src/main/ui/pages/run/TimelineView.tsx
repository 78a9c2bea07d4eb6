import { useMemo, useRef } from "preact/hooks";
import { Problem } from "../../components/Problem.tsx";
import { toneOf } from "../../components/Status.tsx";
import { VirtualList } from "../../components/VirtualList.tsx";
import { duration, number } from "../../core/format.ts";
import { useShortcuts } from "../../core/keys.ts";
import { setQuery, usePlace } from "../../core/router.ts";
import { Store, useStore } from "../../core/store.ts";
import { now as clock } from "../../core/time.ts";
import { text } from "../../text.ts";
import { Brush } from "./Brush.tsx";
import { Inspector } from "./Inspector.tsx";
import type { EffectData, RunData } from "./RunHead.tsx";
import { ALL, axisOf, drawn, isFound, isUndo, moved, readZoom, UNDO, writeZoom, zoomed, type Axis, type Row, type Span, type Zoom } from "./timeline.ts";
import type { Read } from "./useTimeline.ts";

const ROW = 32;
/** A key that is a hash, such as that of a question to a model, says no more by all its digits. */
const HASH = /^([0-9a-f]{8})[0-9a-f]{56}$/;
const STILL = new Store(0); // an ended run has no clock
const FEW = 10;
const MANY = 2000;
const MOST_GAPS = 30;
const SPANS: Span[] = ["sent", "worked", "loop", "queued", "waiting", "backoff", "doubt", "review"];

/** The name of a row: its step, then what tells it from others of the same step. */
export function nameOf(row: Row): { name: string; about: string } {
  if (row.event) return { name: text.run.events[row.event] ?? row.event, about: "" };
  const round = row.round && row.round > 1 ? text.run.round(row.round) : "";
  const step = row.step ?? "";
  const key = row.item !== null && row.key?.includes(row.item) ? null : (row.key?.replace(HASH, "$1…") ?? null); // the item says it
  const branch = row.entries.findLast((entry) => entry.branch)?.branch?.replace(/^\$\{(.*)\}$/s, "$1");
  const items = row.segments[0]?.span === "loop" ? row.entries.find((entry) => entry.type === "loop")?.decision : null;
  return {
    name: row.isUndo ? text.run.undo(step.slice(0, -UNDO.length)) : step,
    about: [row.item, key, branch, items, round].filter(Boolean).join(" · "),
  };
}

/** How a state of a row is drawn. */
export function toneOfRow(row: Row): string {
  return row.state === "reused" ? "calm" : row.isUndo && row.state === "done" ? "quiet" : toneOf(row.state);
}

/** One timeline of all steps: attempts and pauses are parts of one bar, idle time is short. */
export function TimelineView({ run, read, effects }: { run: RunData; read: Read; effects: EffectData[] }) {
  const { query } = usePlace();
  const { timeline, version } = read;
  const words = text.run;
  const typed = query.get("find") ?? "";
  const shows = query.get("show") ?? "";
  const opened = query.get("step");
  const zoom = readZoom(query.get("zoom"));
  const hasEnded = !!run.endedAt;
  const tick = useStore(hasEnded ? STILL : clock);
  const now = hasEnded ? (timeline.endedAt ?? Date.parse(run.endedAt!)) : tick;
  const axis = useMemo(
    () => axisOf(timeline.rows, now),
    [version, timeline, hasEnded ? 0 : Math.floor(tick / (timeline.rows.length > MANY ? 10_000 : 1000))],
  );
  const rows = useMemo(() => {
    const wanted = new Set(effects.filter((one) => one.state === shows && !isUndo(one)).map((one) => one.id));
    return timeline.rows.filter(
      (row) => isFound(row, typed) && (!shows || (shows === "undos" ? row.isUndo : !row.isUndo && (row.state === shows || (row.effect !== null && wanted.has(row.effect))))),
    );
  }, [version, timeline, typed, shows, effects]);
  const selected = opened === null ? -1 : rows.findIndex((row) => row.id === opened);
  const row = opened === null ? undefined : timeline.row(opened);
  const at = useRef(-1);
  at.current = selected;
  const open = (index: number) => {
    const next = rows[Math.max(0, Math.min(index, rows.length - 1))];
    if (next) setQuery({ step: next.id }, opened !== null);
  };
  const setZoom = (next: Zoom) => setQuery({ zoom: writeZoom(next) }, true);
  useShortcuts(
    [
      { keys: "j", does: text.keys.down, run: () => open(at.current + 1) },
      { keys: "k", does: text.keys.up, run: () => open(at.current - 1) },
      { keys: "Escape", does: words.closeStep, run: () => opened !== null && setQuery({ step: null }) },
      { keys: "+", does: words.zoomIn, run: () => setZoom(zoomed(zoom, 0.5)) },
      { keys: "-", does: words.zoomOut, run: () => setZoom(zoomed(zoom, 2)) },
      { keys: "0", does: words.zoomAll, run: () => setZoom(ALL) },
    ],
    [rows, opened, query.get("zoom")],
  );
  if (read.problem && timeline.count === 0) return <Problem of={read.problem} onRetry={read.again} />;
  return (
    <div class={"tl-frame" + (row ? " opened" : "")}>
      <section class="tl" aria-label={words.timeline}>
        <div class="tl-tools">
          <input
            type="search"
            aria-label={words.findStep}
            placeholder={words.findStep}
            value={typed}
            onInput={(event) => setQuery({ find: event.currentTarget.value }, true)}
          />
          {shows && (
            <button type="button" class="chip" onClick={() => setQuery({ show: null })}>
              {shows === "undos" ? text.run.undosOnly : (text.status[shows] ?? shows)} <span aria-hidden="true">×</span>
              <span class="sr">{words.showAll}</span>
            </button>
          )}
          <span class="muted small-text tl-count">
            {words.rows(number(rows.length), rows.length === timeline.rows.length ? null : number(timeline.rows.length))}
            {!read.isWhole && !read.problem && timeline.count > 0 && " · " + words.reading(number(timeline.count))}
          </span>
          <span class="tl-zoom" role="group" aria-label={words.zoom}>
            <button type="button" class="button small" aria-label={words.earlier} onClick={() => setZoom(moved(zoom, -0.5))}>
              ←
            </button>
            <button type="button" class="button small" aria-label={words.zoomOut} onClick={() => setZoom(zoomed(zoom, 2))}>
              −
            </button>
            <button type="button" class="button small" aria-label={words.zoomIn} onClick={() => setZoom(zoomed(zoom, 0.5))}>
              +
            </button>
            <button type="button" class="button small" aria-label={words.later} onClick={() => setZoom(moved(zoom, 0.5))}>
              →
            </button>
            <button type="button" class="button small" onClick={() => setZoom(ALL)}>
              {words.zoomAll}
            </button>
          </span>
        </div>
        {read.problem && (
          <p class="notice tone-warn" role="alert">
            {words.incomplete(number(timeline.count), read.problem.message)}{" "}
            <button type="button" class="link" onClick={read.again}>
              {text.state.retry}
            </button>
          </p>
        )}
        {timeline.rows.length > FEW && <Brush rows={timeline.rows} axis={axis} zoom={zoom} version={version} onZoom={setZoom} />}
        <Ticks axis={axis} zoom={zoom} />
        <div class="tl-body" style={{ height: `min(${Math.max(rows.length, 3) * ROW + 1}px, max(18rem, 100dvh - 27rem))` }}>
          <Gaps axis={axis} zoom={zoom} />
          {timeline.count === 0 ? (
            <p class="loading">{text.state.loading}</p>
          ) : rows.length === 0 ? (
            <p class="tl-none muted">{words.noRows}</p>
          ) : (
            <VirtualList
              items={rows}
              rowHeight={ROW}
              keyOf={(one) => one.id}
              label={words.timeline}
              selected={selected}
              place={"run " + run.id}
              row={(one) => <Bar row={one} axis={axis} zoom={zoom} now={now} onOpen={() => setQuery({ step: one.id === opened ? null : one.id }, opened !== null)} isOpen={one.id === opened} />}
            />
          )}
        </div>
        <Legend rows={timeline.rows} version={version} />
      </section>
      {row && <Inspector run={run} row={row} timeline={timeline} version={version} />}
    </div>
  );
}

function Bar({ row, axis, zoom, now, onOpen, isOpen }: { row: Row; axis: Axis; zoom: Zoom; now: number; onOpen: () => void; isOpen: boolean }) {
  const { name, about } = nameOf(row);
  const begin = row.segments[0]?.from;
  const last = row.segments.at(-1);
  const span = begin === undefined || !last ? 0 : (last.to ?? now) - begin;
  return (
    <button type="button" class={"tl-row tone-" + toneOfRow(row) + (row.event ? " event" : row.item !== null ? " item" : "")} aria-expanded={isOpen} onClick={onOpen}>
      <span class="tl-name">
        <span class="status-mark" aria-hidden="true" />
        <span class="tl-step">{name}</span>
        <bdi class="tl-about">{about}</bdi>
        <span class="sr">{text.status[row.state] ?? row.state}</span>
      </span>
      <span class="tl-bars" aria-hidden="true">
        {drawn(row, axis, zoom, now).map((one, i) => (
          <span
            key={i}
            class={"tl-seg " + one.segment.span + (one.segment.to === null ? " open" : "") + (one.segment.isLost ? " lost" : "")}
            title={text.run.spans[one.segment.span] + (one.segment.attempt ? " · " + text.run.attempt(one.segment.attempt) : "") + " · " + duration((one.segment.to ?? now) - one.segment.from)}
            style={{ left: one.left * 100 + "%", width: one.width * 100 + "%" }}
          />
        ))}
      </span>
      <span class="tl-took">
        {row.attempts > 1 && <span class="tl-tries">{row.attempts}×</span>}
        {row.event || span === 0 ? "" : duration(span)}
      </span>
    </button>
  );
}

function Ticks({ axis, zoom }: { axis: Axis; zoom: Zoom }) {
  return (
    <div class="tl-ticks" aria-hidden="true">
      <span class="tl-name">{text.run.step}</span>
      <span class="tl-bars">
        {[0, 0.25, 0.5, 0.75].map((part) => (
          <span key={part} style={{ left: part * 100 + "%" }}>
            {"+" + duration(axis.instant(zoom.from + (zoom.to - zoom.from) * part) - axis.begin)}
          </span>
        ))}
      </span>
      <span class="tl-took">{text.run.took}</span>
    </div>
  );
}

/** Bands where nothing was done for long: they are drawn short, and say how long it was. */
function Gaps({ axis, zoom }: { axis: Axis; zoom: Zoom }) {
  const scale = 1 / (zoom.to - zoom.from);
  const seen = axis.gaps
    .map((gap) => ({ left: (axis.at(gap.from) - zoom.from) * scale, right: (axis.at(gap.to) - zoom.from) * scale, span: gap.to - gap.from }))
    .filter((gap) => gap.right > 0 && gap.left < 1 && gap.right - gap.left > 0.012)
    .slice(0, MOST_GAPS);
  return (
    <div class="tl-gaps" aria-hidden="true">
      {seen.map((gap, i) => (
        <span key={i} style={{ left: Math.max(0, gap.left) * 100 + "%", width: (Math.min(1, gap.right) - Math.max(0, gap.left)) * 100 + "%" }}>
          {gap.right - gap.left > 0.06 && <em>{duration(gap.span)}</em>}
        </span>
      ))}
    </div>
  );
}

function Legend({ rows, version }: { rows: Row[]; version: number }) {
  const used = useMemo(() => {
    const found = new Set<Span>();
    for (const row of rows) for (const one of row.segments) if (!row.event || one.span === "queued") found.add(one.span);
    return SPANS.filter((span) => found.has(span));
  }, [rows, version]);
  if (used.length < 2) return null;
  return (
    <p class="tl-legend muted small-text">
      {used.map((span) => (
        <span key={span}>
          <span class={"tl-seg " + span} aria-hidden="true" /> {text.run.spans[span]}
        </span>
      ))}
    </p>
  );
}
