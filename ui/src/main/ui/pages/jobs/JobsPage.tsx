import "./jobs.css";
import { useState } from "preact/hooks";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { Empty } from "../../components/Empty.tsx";
import { More } from "../../components/More.tsx";
import { Show } from "../../components/Show.tsx";
import { useEvery } from "../../core/every.ts";
import { link, pathTo, usePlace } from "../../core/router.ts";
import { useRows } from "../../core/rows.ts";
import { text } from "../../text.ts";
import { isUnderWay } from "./job.ts";
import { JobRow } from "./JobRow.tsx";
import { NewJob } from "./NewJob.tsx";

/** Work on many runs, effects or events at once. */
export function JobsPage() {
  const { query } = usePlace();
  const jobs = usePaged("GET /api/jobs", { query: { limit: "50" } }, (page) => page.items);
  const items = jobs.data?.items ?? [];
  const [isMaking, make] = useState(query.has("new"));
  const { selected, list } = useRows(items.map((one) => link(pathTo("jobs", one.id))));
  useEvery(items.some((one) => isUnderWay(one.state)) ? 1500 : 10_000, jobs.reload);
  const words = text.jobs;
  return (
    <div class="page">
      <header class="page-title">
        <h1>{words.title}</h1>
        {may("runs:write") && (
          <span class="push">
            <button type="button" class="button" onClick={() => make(true)}>
              {words.make}
            </button>
          </span>
        )}
      </header>
      <Show of={jobs}>
        {() =>
          items.length > 0 ? (
            <>
              <ul class="rows" ref={list} aria-label={words.title}>
                {items.map((one, i) => (
                  <li key={one.id} class={i === selected ? "selected" : ""}>
                    <JobRow job={one} place={link(pathTo("jobs", one.id))} />
                  </li>
                ))}
              </ul>
              <More of={jobs} />
            </>
          ) : (
            <Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />
          )
        }
      </Show>
      {isMaking && <NewJob query={query} onClose={() => make(false)} />}
    </div>
  );
}
