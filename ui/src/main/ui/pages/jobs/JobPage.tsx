import "./jobs.css";
import { usePaged } from "../../api/paged.ts";
import { Facts } from "../../components/Facts.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { More } from "../../components/More.tsx";
import { Progress } from "../../components/Progress.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Tiles } from "../../components/Tiles.tsx";
import { Time } from "../../components/Time.tsx";
import { Title } from "../../components/Title.tsx";
import { useEvery } from "../../core/every.ts";
import { number } from "../../core/format.ts";
import { link, usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";
import { isUnderWay, itemsOf, kindOf, parts, type Job } from "./job.ts";
import { JobActions } from "./JobActions.tsx";
import { JobResult } from "./JobResult.tsx";

const RESULTS = [
  ["open", "quiet"],
  ["done", "good"],
  ["skipped", "warn"],
  ["failed", "bad"],
] as const;

/** A job: what it will do, how far it is, and what came of each item. */
export function JobPage({ id }: { id: string }) {
  const result = usePlace().query.get("result") ?? "";
  const job = usePaged("GET /api/jobs/{id}", { path: { id }, query: { result, limit: "100" } }, (page) => page.results ?? []);
  const state = job.data?.first.state;
  useEvery(isUnderWay(state) ? 700 : state === "paused" ? 5000 : null, job.reload);
  return (
    <Show of={job}>
      {({ first, items }) => (
        <article class="page">
          <Title of={kindOf(first) + " " + first.id} />
          <p class="crumbs">
            <a href={link("/jobs")}>{text.jobs.title}</a> › {first.id}
          </p>
          <header class="page-title">
            <h1>{kindOf(first)}</h1>
            <Status of={first.state} />
            <span class="push">
              <JobActions job={first} onChange={job.reload} />
            </span>
          </header>
          {first.problem && (
            <p class="notice tone-bad" role="alert">
              {first.problem}
            </p>
          )}
          <Far job={first} />
          <section>
            <h2>{text.jobs.results}</h2>
            {items.length > 0 ? (
              <ul class="rows">
                {items.map((one) => (
                  <JobResult key={one.position} of={one} kind={first.kind} />
                ))}
              </ul>
            ) : (
              <p class="muted">{text.jobs.noResults}</p>
            )}
            <More of={job} />
          </section>
          <JsonView title={text.jobs.spec} value={first.spec} />
        </article>
      )}
    </Show>
  );
}

function Far({ job }: { job: Job }) {
  const words = text.jobs;
  const all = itemsOf(job);
  const counts: Record<string, number> = { open: job.open, done: job.done, skipped: job.skipped, failed: job.failed };
  return (
    <>
      <Facts
        of={[
          [words.facts.items, number(all)],
          [words.facts.rate, words.rateOf(number(job.rate))],
          [words.facts.by, job.createdBy],
          [words.facts.applied, job.appliedBy],
          [words.facts.created, <Time at={job.createdAt} />],
          [words.facts.ended, job.endedAt && <Time at={job.endedAt} />],
        ]}
      />
      <Progress parts={parts(job)} all={all} label={kindOf(job)} />
      <Tiles label={words.results} name="result" of={RESULTS.map(([value, tone]) => ({ value, tone, name: text.status[value]!, count: counts[value]! }))} />
    </>
  );
}
