import "./reconcile.css";
import type { Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { Empty } from "../../components/Empty.tsx";
import { More } from "../../components/More.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Time } from "../../components/Time.tsx";
import { link, pathTo, usePlace } from "../../core/router.ts";
import { useRows } from "../../core/rows.ts";
import { text } from "../../text.ts";
import { StartForm } from "./StartForm.tsx";

type Run = Answer<"GET /api/runs">["items"][number];

const FLOW = "hapax.reconcile";

/** Reports of what a destination has and what the ledger has; and a form to make one. */
export function ReconcilePage() {
  const { query } = usePlace();
  const runs = usePaged("GET /api/runs", { query: { flow: FLOW, limit: "50" } }, (page) => page.items, (event) => event.flow === FLOW);
  const items = runs.data?.items ?? [];
  const { selected, list } = useRows(items.map((one) => link(pathTo("reconciliations", one.id))));
  const words = text.reconcile;
  return (
    <div class="page">
      <header class="page-title">
        <h1>{words.title}</h1>
      </header>
      <p class="muted">{words.intro}</p>
      {may("effects:settle") && (
        <details class="panel" open={query.size > 0 || (runs.data !== undefined && items.length === 0)}>
          <summary>{words.start}</summary>
          <StartForm query={query} />
        </details>
      )}
      <Show of={runs}>
        {() =>
          items.length > 0 ? (
            <section>
              <h2>{words.reports}</h2>
              <ul class="rows" ref={list} aria-label={words.reports}>
                {items.map((one, i) => (
                  <li key={one.id} class={i === selected ? "selected" : ""}>
                    <Row run={one} />
                  </li>
                ))}
              </ul>
              <More of={runs} />
            </section>
          ) : (
            <Empty title={words.none} hint={words.noneHint} command={words.command} />
          )
        }
      </Show>
    </div>
  );
}

function Row({ run }: { run: Run }) {
  const wish = (run.input ?? {}) as { flow?: string; by?: string; adopt?: boolean; repair?: boolean };
  const words = text.reconcile;
  return (
    <a class="report-row" href={link(pathTo("reconciliations", run.id))}>
      <span class="cut report-flow">{wish.flow}</span>
      <Status of={run.status} />
      <span class="muted cut report-options">{[wish.adopt && words.adopt, wish.repair && words.repair].filter(Boolean).join(" · ")}</span>
      <span class="muted small-text">
        {wish.by && text.jobs.by(wish.by)} <Time at={run.createdAt} isRelative />
      </span>
    </a>
  );
}
