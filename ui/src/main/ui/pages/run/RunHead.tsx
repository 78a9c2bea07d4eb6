import { call, type Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { Copy } from "../../components/Copy.tsx";
import { Facts } from "../../components/Facts.tsx";
import { Status } from "../../components/Status.tsx";
import { Time } from "../../components/Time.tsx";
import { link, pathTo } from "../../core/router.ts";
import { between, now } from "../../core/time.ts";
import { useStore } from "../../core/store.ts";
import { text } from "../../text.ts";
import { forAgent } from "./agent.ts";
import { Once } from "./Once.tsx";
import { RunActions } from "./RunActions.tsx";
import type { Read } from "./useTimeline.ts";
import type { Wait } from "./Waits.tsx";

export type RunData = Answer<"GET /api/runs/{id}">;
export type EffectData = Answer<"GET /api/effects/{id}">;

interface Shown {
  run: RunData;
  read: Read;
  waits: Wait[];
  /** The states of all its effects; null while they are not known. */
  states: string[] | null;
  onChange: () => void;
}

export function RunHead({ run, read, waits, states, onChange }: Shown) {
  const facts = text.run.facts;
  const parent = read.timeline.parent;
  const isRetrying = run.status === "waiting" && waits.some((wait) => wait.cause === "retry");
  const reused = read.timeline.rows.filter((row) => row.state === "reused").length;
  return (
    <header class="run-head">
      <div class="run-title">
        <h1>
          <bdi>{run.key}</bdi>
        </h1>
        <Status of={isRetrying ? "retrying" : run.status} />
        <div class="run-actions">
          <RunActions run={run} waits={waits} onChange={onChange} />
          <Copy label={text.copy.agent} of={() => copied(run, waits, read)} />
          <Copy label={text.copy.cli} of={() => "hapax runs show " + run.id} />
        </div>
      </div>
      <Once run={run} states={states} reused={reused} />
      <Facts
        of={[
          [facts.flow, <a href={link(pathTo("flows", run.flow))}>{run.flow}</a>],
          [facts.release, run.release],
          [facts.created, <Time at={run.createdAt} />],
          [facts.took, run.endedAt ? between(run.createdAt, run.endedAt) : null],
          [facts.since, run.endedAt ? null : <Since at={run.createdAt} />],
          [facts.due, run.dueAt ? <Time at={run.dueAt} isRelative /> : null],
          [facts.by, run.startedBy?.name],
          [facts.parent, parent && <a href={link(pathTo("runs", parent))}>{parent}</a>],
          [facts.id, <span class="mono">{run.id}</span>],
        ]}
      />
    </header>
  );
}

/** Reads the effects anew: the page may not have them yet. */
async function copied(run: RunData, waits: Wait[], read: Read): Promise<string> {
  const effects = may("effects:read") ? (await call("GET /api/effects", { query: { run: run.id, limit: "200" } })).items : [];
  return forAgent(run, waits, effects, read.timeline);
}

function Since({ at }: { at: string }) {
  return <>{between(at, Math.floor(useStore(now) / 1000) * 1000)}</>;
}
