import "./reconcile.css";
import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { Confirm, type Action } from "../../components/Confirm.tsx";
import { Empty } from "../../components/Empty.tsx";
import { Facts } from "../../components/Facts.tsx";
import { More } from "../../components/More.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Title } from "../../components/Title.tsx";
import { Tiles } from "../../components/Tiles.tsx";
import { Time } from "../../components/Time.tsx";
import { useEvery } from "../../core/every.ts";
import { number } from "../../core/format.ts";
import { go, link, pathTo, usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";
import { Finding } from "./Finding.tsx";
import { Repair, RepairButton } from "./Repair.tsx";

type Report = Answer<"GET /api/reconciliations/{id}">;

export const TONES: Record<string, string> = { matches: "good", missing: "bad", differs: "warn", unknown: "ask", doubled: "bad", unchecked: "quiet" };
const ENDS = ["succeeded", "failed", "canceled", "partial", "compensated"];

/** What a reconciliation has found, and what can be done about it. */
export function ReconciliationPage({ id }: { id: string }) {
  const result = usePlace().query.get("result") ?? "";
  const report = usePaged("GET /api/reconciliations/{id}", { path: { id }, query: { result, limit: "100" } }, (page) => page.items, (event) => event.run === id);
  const status = report.data?.first.status;
  const words = text.reconcile;
  useEvery(status && !ENDS.includes(status) ? 1000 : null, report.reload);
  return (
    <Show of={report}>
      {({ first, items }) => (
        <article class="page">
          <Title of={first.flow} />
          <p class="crumbs">
            <a href={link("/reconciliations")}>{words.title}</a> › {first.id}
          </p>
          <header class="page-title">
            <h1>{first.flow}</h1>
            <Status of={first.status} />
            <span class="push">
              <Actions report={first} />
              <RepairButton reconciliation={id} report={first} />
            </span>
          </header>
          {first.error && (
            <p class="notice tone-bad">
              <strong>{first.error.code}</strong> {first.error.message}
            </p>
          )}
          {first.note && <p class="notice tone-warn">{first.note}</p>}
          <Facts
            of={[
              [words.facts.steps, first.steps.join(", ")],
              [words.facts.by, first.by],
              [words.facts.schedule, first.schedule],
              [words.facts.from, first.from && <Time at={first.from} />],
              [words.facts.to, first.to && <Time at={first.to} />],
              [words.facts.rate, text.jobs.rateOf(number(first.rate))],
              [words.facts.adopted, first.adopt && number(first.adopted)],
              [words.facts.settled, first.adopt && number(first.settled)],
            ]}
          />
          <Totals of={first} />
          <Repair reconciliation={id} report={first} />
          {items.length > 0 ? (
            <ul class="rows">
              {items.map((one, i) => (
                <Finding key={i} of={one} />
              ))}
            </ul>
          ) : result ? (
            <p class="muted">{words.noneSo}</p>
          ) : (
            status === "succeeded" && <Empty title={words.clean} hint={words.cleanHint} />
          )}
          <More of={report} />
        </article>
      )}
    </Show>
  );
}

/** Matches are only counted, so they limit no list. */
function Totals({ of }: { of: Report }) {
  const words = text.reconcile;
  const { matches, ...others } = of.totals;
  return (
    <div class="report-totals">
      <p class="report-matches tone-good">
        <span class="tile-count">{number(matches)}</span>
        <span class="tile-name">{words.results.matches!.name}</span>
        <span class="tile-hint">{words.results.matches!.says}</span>
      </p>
      <Tiles
        label={words.totals}
        name="result"
        of={Object.entries(others).map(([value, count]) => ({ value, count, tone: TONES[value]!, name: words.results[value]!.name, hint: words.results[value]!.says }))}
      />
    </div>
  );
}

/** The next things that people do with a report: each begins a new one of the same range. */
function Actions({ report }: { report: Report }) {
  const [action, ask] = useState<Action | null>(null);
  const words = text.reconcile;
  const { totals } = report;
  const again = (more: object) => async () => {
    const { flow, from, to, rate, steps } = report;
    const body = { flow, from, to, rate, ...(steps.length === 1 ? { step: steps[0]! } : {}), ...more };
    const begun = await call("POST /api/reconciliations", { body });
    go(link(pathTo("reconciliations", begun.id)));
  };
  if (!may("effects:settle") || report.status !== "succeeded") return null;
  return (
    <>
      {!report.adopt && totals.matches + totals.differs > 0 && (
        <button type="button" class="button" onClick={() => ask({ title: words.adoptTitle, says: words.adoptSays, label: words.adoptDo, run: again({ adopt: true }) })}>
          {words.adoptNow}
        </button>
      )}
      {!report.repair && totals.missing > 0 && (
        <button type="button" class="button" onClick={() => ask({ title: words.planTitle, says: words.planSays, label: words.planDo, run: again({ repair: true }) })}>
          {words.planRepair}
        </button>
      )}
      {action && <Confirm action={action} onClose={() => ask(null)} />}
    </>
  );
}
