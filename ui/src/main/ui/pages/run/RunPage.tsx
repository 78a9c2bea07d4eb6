import "./run.css";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Show } from "../../components/Show.tsx";
import { Tabs } from "../../components/Tabs.tsx";
import { usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";
import { Graph } from "./Graph.tsx";
import { Related } from "./Related.tsx";
import { statesOf } from "./once.ts";
import { draftOf, isOurs, RunHead, type RunData } from "./RunHead.tsx";
import { isUndo } from "./timeline.ts";
import { TimelineView } from "./TimelineView.tsx";
import { useTimeline } from "./useTimeline.ts";
import { Values } from "./Values.tsx";
import { Waits } from "./Waits.tsx";
import { WouldSend } from "./WouldSend.tsx";

/** A run: whether it was done once, what happened, and what can be done now. */
export function RunPage({ id }: { id: string }) {
  const run = useCall("GET /api/runs/{id}", { path: { id }, query: { payloads: "preview" } }, (event) => event.run === id);
  return <Show of={run}>{(data) => <Whole key={id} run={data} onChange={run.reload} />}</Show>;
}

function Whole({ run, onChange }: { run: RunData; onChange: () => void }) {
  const { id } = run;
  const isAbout = (event: { run: string }) => event.run === id;
  const read = useTimeline(id);
  const waits = useCall("GET /api/runs/{id}/waits", run.endedAt ? null : { path: { id } }, isAbout);
  const effects = useCall("GET /api/effects", may("effects:read") ? { query: { run: id, limit: "200", ...draftOf(run) } } : null, isAbout);
  const tab = usePlace().query.get("tab") ?? "timeline";
  const words = text.run;
  const known = effects.data?.items ?? [];
  const reused = new Set(read.timeline.rows.flatMap((row) => (row.state === "reused" && row.effect ? [row.effect] : [])));
  // A run with many effects: the ledger answers in pages, and the history has them all.
  const states = effects.data?.next
    ? read.isWhole
      ? statesOf(read.timeline.rows.filter((row) => row.effect && row.state !== "reused"))
      : null
    : effects.data
      ? statesOf(known.filter((one) => !reused.has(one.id)).map((one) => ({ state: one.state, isUndo: isUndo(one) })))
      : null;
  const change = () => {
    onChange();
    read.again();
    effects.reload();
  };
  return (
    <article class="run">
      <RunHead run={run} read={read} waits={waits.data?.items ?? []} states={states} unknown={(effects.problem ?? read.problem)?.message ?? null} onChange={change} />
      <div class="run-body">
        {run.error && (
          <p class="notice tone-bad run-error">
            <strong>{run.error.code}</strong> {run.error.step && run.error.step + ": "}
            {run.error.message}
            {run.error.advice && <span class="run-advice">{run.error.advice}</span>}
          </p>
        )}
        {run.blocked && <p class="notice tone-warn">{run.blocked.message}</p>}
        {run.cancel && !run.endedAt && <p class="notice tone-warn">{words.canceledBy(run.cancel.by, run.cancel.reason ?? "")}</p>}
        {!run.endedAt && <Waits of={waits.data?.items ?? []} />}
        <WouldSend run={run} />
        <Tabs
          label={words.parts}
          of={[
            ["timeline", words.timeline],
            ...(may("flows:read") && run.release > 0 && !isOurs(run.flow) ? ([["graph", words.graph]] as [string, string][]) : []),
            ["values", words.values],
            ["related", words.related],
          ]}
        />
        {tab === "graph" ? (
          <Graph run={run} read={read} />
        ) : tab === "values" ? (
          <Values run={run} read={read} />
        ) : tab === "related" ? (
          <Related run={run} parent={read.timeline.parent} />
        ) : (
          <TimelineView run={run} read={read} effects={known} />
        )}
      </div>
    </article>
  );
}
