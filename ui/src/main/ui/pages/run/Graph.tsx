import { useMemo } from "preact/hooks";
import { useCall } from "../../api/use.ts";
import { FlowGraph } from "../../components/FlowGraph.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { setQuery } from "../../core/router.ts";
import { text } from "../../text.ts";
import type { RunData } from "./RunHead.tsx";
import type { Row } from "./timeline.ts";
import type { Read } from "./useTimeline.ts";

const WORST = ["review", "doubt", "failed", "retrying", "waiting", "pending", "reused", "skipped", "done"];

/** How each step that the run has reached stands: the worst of its items and rounds. */
export function statesOf(rows: readonly Row[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const row of rows) {
    if (row.step === null || row.isUndo) continue;
    const known = found.get(row.step);
    if (known === undefined || WORST.indexOf(row.state) < WORST.indexOf(known)) found.set(row.step, row.state);
  }
  return found;
}

/** The flow as a graph, with the path that this run has taken. */
export function Graph({ run, read }: { run: RunData; read: Read }) {
  const picture = useCall("GET /api/flows/{flow}/releases/{release}/picture", { path: { flow: run.flow, release: String(run.release) } });
  const states = useMemo(() => statesOf(read.timeline.rows), [read.version, read.timeline]);
  return (
    <section class="run-graph">
      <p class="small-text graph-legend">
        {[...new Set(states.values())].map((state) => (
          <Status key={state} of={state} />
        ))}
        <span class="muted">{text.run.graphHint}</span>
      </p>
      <Show of={picture}>
        {(svg) => <FlowGraph svg={String(svg)} label={text.run.graph} path={{ states, onStep: (step) => setQuery({ tab: null, find: step, step: null }) }} />}
      </Show>
    </section>
  );
}
