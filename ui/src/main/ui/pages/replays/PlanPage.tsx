import "./replays.css";
import { useEffect, useState } from "preact/hooks";
import { ApiProblem, call, type Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Copy } from "../../components/Copy.tsx";
import { Field } from "../../components/Field.tsx";
import { More } from "../../components/More.tsx";
import { Progress } from "../../components/Progress.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Tiles } from "../../components/Tiles.tsx";
import { Title } from "../../components/Title.tsx";
import { toast } from "../../components/Toasts.tsx";
import { useEvery } from "../../core/every.ts";
import { number, plural } from "../../core/format.ts";
import { link, pathTo, usePlace, type Query } from "../../core/router.ts";
import { text } from "../../text.ts";
import { isUnderWay, itemsOf, kindOf, parts as partsOfJob } from "../jobs/job.ts";
import { againOf } from "./again.ts";
import { PlannedRun, type PlannedItem, type RunLine } from "./PlannedRun.tsx";

type Plan = Answer<"GET /api/replays/{plan}">;

export const TONES: Record<string, string> = { keep: "quiet", reuse: "calm", changed: "warn", send: "active", doubt: "ask" };

interface Part {
  run: RunLine;
  items: PlannedItem[];
}

function partsOf(plan: Plan): Part[] {
  return plan.runs.map((run) => ({ run, items: plan.items.filter((item) => item.run === run.run) }));
}

/** A long run comes in parts, on several pages. */
function joined(parts: Part[]): Part[] {
  const all = new Map<string, Part>();
  for (const part of parts) {
    const known = all.get(part.run.run);
    all.set(part.run.run, known ? { run: part.run, items: [...known.items, ...part.items] } : part);
  }
  return [...all.values()];
}

/** What a replay would do, effect by effect; and the button that does exactly that. */
export function PlanPage({ plan: id }: { plan: string }) {
  const decision = usePlace().query.get("decision") ?? "";
  const plan = usePaged("GET /api/replays/{plan}", { path: { plan: id }, query: { decision } }, partsOf);
  const state = plan.data?.first.state;
  const words = text.replays;
  useEvery(isUnderWay(state) ? 1000 : null, plan.reload);
  return (
    <Show of={plan}>
      {({ first, items }) => {
        const parts = joined(items).filter((part) => !decision || part.items.length > 0);
        return (
          <article class="page">
            <Title of={first.plan} />
            <p class="crumbs">
              <a href={link("/replays")}>{words.title}</a> › {first.plan}
            </p>
            <header class="page-title">
              <h1>{words.plan}</h1>
              <Status of={first.state} />
              <span class="muted">{words.found(plural(first.found, "run"))}</span>
              {first.skipped > 0 && <span class="badge tone-warn">{words.skipped(number(first.skipped))}</span>}
              <span class="push">
                <Copy label={text.copy.cli} of={() => text.commands.plan(first.plan)} />
                <a class="button" href={link(pathTo("jobs", first.plan))}>
                  {words.job}
                </a>
                {first.state === "planned" && may("runs:write") && <Apply plan={first} onChange={plan.reload} />}
              </span>
            </header>
            {first.state === "planning" && <p class="notice tone-active">{words.planning}</p>}
            {first.problem && <p class="notice tone-bad">{first.problem}</p>}
            {(first.state === "running" || first.state === "paused" || first.state === "done") && <Far plan={first.plan} isUnderWay={first.state === "running"} />}
            <Tiles
              label={words.totals}
              name="decision"
              of={Object.entries(words.decisions).map(([value, one]) => ({
                value,
                name: one.name,
                hint: one.says,
                tone: TONES[value]!,
                count: first.totals[value as keyof Plan["totals"]],
              }))}
            />
            {parts.map((part) => (
              <PlannedRun key={part.run.run} {...part} />
            ))}
            {parts.length === 0 && decision && <p class="muted">{words.noneHere}</p>}
            <More of={plan} />
          </article>
        );
      }}
    </Show>
  );
}

/** How far it is: the job of a plan counts its runs. */
function Far({ plan, isUnderWay: isRunning }: { plan: string; isUnderWay: boolean }) {
  const job = useCall("GET /api/jobs/{id}", { path: { id: plan }, query: { limit: "1" } });
  useEffect(job.reload, [isRunning]);
  useEvery(isRunning ? 1000 : null, job.reload);
  if (!job.data) return null;
  const all = itemsOf(job.data);
  return (
    <div class="plan-far">
      <Progress parts={partsOfJob(job.data)} all={all} label={kindOf(job.data)} />
      <span class="muted">{text.jobs.progress(number(all - job.data.open), number(all))}</span>
    </div>
  );
}

function Apply({ plan, onChange }: { plan: Plan; onChange: () => void }) {
  const [isAsking, ask] = useState(false);
  const [rate, setRate] = useState("");
  const [stale, setStale] = useState<string | null>(null);
  const [again, setAgain] = useState<Query>({});
  const words = text.replays;
  const runs = plural(plan.found - plan.skipped, "run");
  const sends = plan.totals.send;
  const run = async (reason: string) => {
    try {
      await call("POST /api/replays", { body: { apply: plan.plan, reason, ...(rate.trim() ? { rate: Number(rate) } : {}) } });
    } catch (problem) {
      if (!(problem instanceof ApiProblem) || problem.kind !== "stale") throw problem;
      setAgain(againOf((await call("GET /api/jobs/{id}", { path: { id: plan.plan }, query: { limit: "1" } })).spec));
      setStale(problem.message);
      return onChange();
    }
    toast(text.jobs.done);
    onChange();
  };
  return (
    <>
      <button type="button" class="button primary" onClick={() => ask(true)} disabled={plan.found === plan.skipped}>
        {words.apply}
      </button>
      {stale && (
        <div class="notice tone-warn plan-stale" role="alert">
          <strong>{words.stale}</strong>
          <p>{stale}</p>
          <a class="button" href={link("/replays", again)}>
            {words.staleNext}
          </a>
        </div>
      )}
      {isAsking && (
        <Confirm
          onClose={() => ask(false)}
          action={{
            title: words.applyTitle,
            says: (
              <>
                <p>{words.applySays(words.sends(plural(sends, "effect"), sends === 1), words.goes(runs, plan.found - plan.skipped === 1))}</p>
                {plan.found > 1 && <Field label={text.jobs.rate} hint={text.jobs.rateHint} type="number" value={rate} onValue={setRate} />}
              </>
            ),
            label: words.applyDo(runs),
            asksReason: true,
            run,
          }}
        />
      )}
    </>
  );
}
