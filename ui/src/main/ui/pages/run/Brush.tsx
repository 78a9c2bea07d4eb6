import { useMemo, useRef, useState } from "preact/hooks";
import { text } from "../../text.ts";
import { ALL, moved, zoomed, type Axis, type Row, type Zoom } from "./timeline.ts";

const BUCKETS = 120;
const SMALLEST = 0.01;

interface Bucket {
  count: number;
  tone: string;
}

/** Where in the run something happened, and where it went wrong. */
function buckets(rows: readonly Row[], axis: Axis): Bucket[] {
  const found = Array.from({ length: BUCKETS }, (): Bucket => ({ count: 0, tone: "quiet" }));
  for (const row of rows) {
    for (const one of row.segments) {
      const bucket = found[Math.min(BUCKETS - 1, Math.floor(axis.at(one.from) * BUCKETS))]!;
      bucket.count++;
      if (one.span === "doubt" || one.span === "review") bucket.tone = "ask";
      else if (row.state === "failed" && bucket.tone !== "ask") bucket.tone = "bad";
      else if (one.span === "backoff" && bucket.tone === "quiet") bucket.tone = "warn";
    }
  }
  return found;
}

/** The whole run in small: drag over it to look closer. Arrows move the part, + and - change its size. */
export function Brush({ rows, axis, zoom, version, onZoom }: { rows: Row[]; axis: Axis; zoom: Zoom; version: number; onZoom: (zoom: Zoom) => void }) {
  const found = useMemo(() => buckets(rows, axis), [rows, axis, version]);
  const most = Math.max(1, ...found.map((one) => one.count));
  const strip = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const placeOf = (event: PointerEvent) => {
    const box = strip.current!.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const shown = drag ? { from: Math.min(drag.from, drag.to), to: Math.max(drag.from, drag.to) } : zoom;
  const onKeyDown = (event: KeyboardEvent) => {
    const next =
      event.key === "ArrowLeft" ? moved(zoom, -0.25)
      : event.key === "ArrowRight" ? moved(zoom, 0.25)
      : event.key === "ArrowUp" ? zoomed(zoom, 0.5)
      : event.key === "ArrowDown" ? zoomed(zoom, 2)
      : event.key === "Home" ? ALL
      : null;
    if (next) {
      event.preventDefault();
      onZoom(next);
    }
  };
  return (
    <div class="tl-brush">
      <div
        ref={strip}
        class="tl-strip"
        role="slider"
        tabIndex={0}
        aria-label={text.run.brush}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(((zoom.from + zoom.to) / 2) * 100)}
        aria-valuetext={text.run.brushed(Math.round(zoom.from * 100), Math.round(zoom.to * 100))}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ from: placeOf(event), to: placeOf(event) });
        }}
        onPointerMove={(event) => drag && setDrag({ ...drag, to: placeOf(event) })}
        onPointerUp={() => {
          if (drag && shown.to - shown.from >= SMALLEST) onZoom(shown);
          setDrag(null);
        }}
        onPointerCancel={() => setDrag(null)}
      >
        {found.map((one, i) =>
          one.count === 0 ? null : (
            <span
              key={i}
              class={"tl-bucket tone-" + one.tone}
              style={{ left: (i / BUCKETS) * 100 + "%", height: 25 + 75 * Math.sqrt(one.count / most) + "%" }}
            />
          ),
        )}
        <span class={"tl-window" + (shown.to - shown.from > 0.9999 ? " all" : "")} style={{ left: shown.from * 100 + "%", width: (shown.to - shown.from) * 100 + "%" }} />
      </div>
    </div>
  );
}
