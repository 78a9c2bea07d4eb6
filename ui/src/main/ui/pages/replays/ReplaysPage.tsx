import "./replays.css";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { Empty } from "../../components/Empty.tsx";
import { More } from "../../components/More.tsx";
import { Show } from "../../components/Show.tsx";
import { useEvery } from "../../core/every.ts";
import { link, pathTo, usePlace } from "../../core/router.ts";
import { useRows } from "../../core/rows.ts";
import { text } from "../../text.ts";
import { isUnderWay } from "../jobs/job.ts";
import { JobRow } from "../jobs/JobRow.tsx";
import { PlanForm } from "./PlanForm.tsx";

/** Plans of replays: a form to make one, and those that there are. */
export function ReplaysPage() {
  const { query } = usePlace();
  const jobs = usePaged("GET /api/jobs", { query: { kind: "replay", limit: "100" } }, (page) => page.items);
  const plans = jobs.data?.items ?? [];
  const { selected, list } = useRows(plans.map((one) => link(pathTo("replays", one.id))));
  useEvery(plans.some((one) => isUnderWay(one.state)) ? 1500 : 10_000, jobs.reload);
  const words = text.replays;
  return (
    <div class="page">
      <header class="page-title">
        <h1>{words.title}</h1>
      </header>
      <p class="muted">{words.intro}</p>
      {may("runs:write") && (
        <details class="panel" open={query.size > 0 || (jobs.data !== undefined && plans.length === 0)}>
          <summary>{words.make}</summary>
          <PlanForm query={query} />
        </details>
      )}
      <Show of={jobs}>
        {() =>
          plans.length > 0 ? (
            <section>
              <h2>{words.plans}</h2>
              <ul class="rows" ref={list} aria-label={words.plans}>
                {plans.map((one, i) => (
                  <li key={one.id} class={i === selected ? "selected" : ""}>
                    <JobRow job={one} place={link(pathTo("replays", one.id))} />
                  </li>
                ))}
              </ul>
              <More of={jobs} />
            </section>
          ) : (
            <Empty title={words.none} hint={words.noneHint} command={words.command} />
          )
        }
      </Show>
    </div>
  );
}
