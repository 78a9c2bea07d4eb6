import { useMemo } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { Copy } from "../../components/Copy.tsx";
import { Menu } from "../../components/Menu.tsx";
import { Facts } from "../../components/Facts.tsx";
import { Status } from "../../components/Status.tsx";
import { Time } from "../../components/Time.tsx";
import { Title } from "../../components/Title.tsx";
import { link, pathTo } from "../../core/router.ts";
import { between, now } from "../../core/time.ts";
import { useStore } from "../../core/store.ts";
import { number, plural } from "../../core/format.ts";
import { text } from "../../text.ts";
import { forAgent } from "./agent.ts";
import { amount, modelSum, type ModelSum } from "./model.ts";
import { Once } from "./Once.tsx";
import type { EffectStates } from "./once.ts";
import { RunActions } from "./RunActions.tsx";
import type { Timeline } from "./timeline.ts";
import type { Read } from "./useTimeline.ts";
import type { Wait } from "./Waits.tsx";

export type RunData = Answer<"GET /api/runs/{id}">;
export type EffectData = Answer<"GET /api/effects/{id}">;

/** Lists are of real runs, unless they are asked for those of drafts. */
export function draftOf(run: RunData): { draft?: string } {
  return run.wouldSend ? { draft: "true" } : {};
}

interface Shown {
  run: RunData;
  read: Read;
  waits: Wait[];
  /** The states of all its effects; null while they are not known. */
  states: EffectStates | null;
  /** Why they will not be known. */
  unknown: string | null;
  onChange: () => void;
}

export function RunHead({ run, read, waits, states, unknown, onChange }: Shown) {
  const facts = text.run.facts;
  const parent = read.timeline.parent;
  const isRetrying = run.status === "waiting" && waits.some((wait) => wait.cause === "retry");
  const model = useMemo(() => modelSum(read.timeline.rows), [read.timeline, read.version]);
  const reused = read.timeline.rows.filter((row) => row.state === "reused").length;
  return (
    <header class="run-head">
      <Title of={run.key} />
      <div class="run-title">
        <h1>
          <bdi>{run.key}</bdi>
        </h1>
        <Status of={isRetrying ? "retrying" : run.status} />
        <div class="run-actions">
          <RunActions run={run} waits={waits} timeline={read.timeline} onChange={onChange} />
          <Menu label={text.copy.more}>
            <Copy label={text.copy.agent} of={() => copied(run, waits, read)} />
            <Copy label={text.copy.cli} of={() => text.commands.run(run.id)} />
          </Menu>
        </div>
      </div>
      <Once run={run} states={states} unknown={unknown} reused={reused} />
      <Facts
        of={[
          [facts.flow, isOurs(run.flow) ? (text.run.ours[run.flow] ?? run.flow) : <a href={link(pathTo("flows", run.flow))}>{run.flow}</a>],
          [facts.release, isOurs(run.flow) ? null : run.release],
          [facts.created, <Time at={run.createdAt} />],
          [facts.took, run.endedAt ? between(run.createdAt, run.endedAt) : null],
          [facts.since, run.endedAt ? null : <Since at={run.createdAt} />],
          [facts.due, run.dueAt ? <Time at={run.dueAt} isRelative /> : null],
          [facts.by, run.startedBy?.name],
          [facts.model, model && modelSays(model)],
          [facts.parent, parent && <a href={link(pathTo("runs", parent))}>{parent}</a>],
          [facts.id, <span class="mono">{run.id}</span>],
        ]}
      />
    </header>
  );
}

/** Returns whether a run belongs to Hapax itself, and so to no flow that has a page. */
export function isOurs(flow: string): boolean {
  return /^hapax[./]/.test(flow);
}

/** Returns whether a replay may go on from this run: what was undone, erased or is ours never does. */
export function mayReplay(run: RunData, timeline: Timeline): boolean {
  return !!run.endedAt && run.status !== "compensated" && !timeline.compensates && !run.erased && !isOurs(run.flow);
}

/** What the language models of a run have used. */
function modelSays(sum: ModelSum): string {
  const words = text.run.model;
  return [
    plural(sum.questions, words.question) + (sum.repairs > 0 ? words.withRepairs(plural(sum.repairs, words.repair)) : ""),
    sum.found > 0 && words.found(sum.found),
    sum.questions > 0 && words.tokensOf(number(sum.input), number(sum.output), null),
    sum.questions > 0 && (sum.cost === null ? words.costUnknown : words.costOf(amount(sum.cost))),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Reads the effects anew: the page may not have them yet. */
async function copied(run: RunData, waits: Wait[], read: Read): Promise<string> {
  const effects = may("effects:read") ? (await call("GET /api/effects", { query: { run: run.id, limit: "200", ...draftOf(run) } })).items : [];
  const isLeft = run.inputBytes != null || run.outputBytes != null;
  const whole = isLeft ? await call("GET /api/runs/{id}", { path: { id: run.id } }) : run;
  return forAgent(whole, waits, effects, read.timeline);
}

function Since({ at }: { at: string }) {
  return <>{between(at, Math.floor(useStore(now) / 1000) * 1000)}</>;
}
