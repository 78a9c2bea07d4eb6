import { useState } from "preact/hooks";
import { addressOf, call, type Answer } from "../../api/client.ts";
import { useCall } from "../../api/use.ts";
import { Empty } from "../../components/Empty.tsx";
import { FilterBox } from "../../components/FilterBox.tsx";
import { Refusal } from "../../components/Refusal.tsx";
import { Show } from "../../components/Show.tsx";
import { Table, type Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { plural } from "../../core/format.ts";
import { link, usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";

type Entry = Answer<"GET /api/audit">["items"][number];

const words = text.audit;
const PAGE = 200;

const COLUMNS: Column<Entry>[] = [
  {
    name: words.action,
    show: (one) => (
      <>
        {words.actions[one.action] ?? one.action} {one.outcome !== "asked" && <span class="badge tone-bad">{one.outcome}</span>}
      </>
    ),
  },
  { name: words.target, show: (one) => <span class="mono">{one.target}</span> },
  { name: words.actor, kind: "short", show: (one) => one.actor },
  { name: words.at, kind: "short", show: (one) => <Time at={one.at} /> },
  { name: words.route, kind: "minor", show: (one) => <span class="mono muted">{one.action}</span> },
  { name: words.address, kind: "minor", show: (one) => one.address ?? "" },
  { name: words.number, kind: "minor", show: (one) => one.number },
];

/** Who asked for what, newest first. The log is a chain: a line that was changed or removed is noticed. */
export function AuditPage() {
  const { query } = usePlace();
  const last = useCall("GET /api/audit/checkpoint", {});
  const end = Number(query.get("end") ?? last.data?.number ?? 0);
  const from = Math.max(0, end - PAGE);
  const entries = useCall("GET /api/audit", last.data ? { query: { after: from ? String(from) : "", limit: String(PAGE) } } : null);
  const wanted = (query.get("q") ?? "").toLowerCase();
  const matches = (one: Entry) => [one.actor, one.action, words.actions[one.action], one.target, one.outcome, one.address].some((part) => part?.toLowerCase().includes(wanted));
  return (
    <div class="page">
      <header class="page-title">
        <h1>{words.title}</h1>
        <div class="push">
          <a class="button" href={addressOf("GET /api/audit/export")} download>
            {words.export}
          </a>
        </div>
      </header>
      <p class="lead">{words.lead}</p>
      <div class="filter-bar">
        <FilterBox name="q" label={words.filter} />
        <span class="muted">{words.filterSays(PAGE)}</span>
        <Verify />
      </div>
      {last.problem ? <Refusal of={last.problem} /> : null}
      <Show of={entries}>
        {(page) => {
          const rows = page.items.filter((one) => one.number <= end && matches(one)).reverse();
          return rows.length ? <Table label={words.title} columns={COLUMNS} rows={rows} keyOf={(one) => String(one.number)} /> : <Empty title={words.none} />;
        }}
      </Show>
      <nav class="filter-bar" aria-label={words.pages}>
        {from > 0 && (
          <a class="button" href={link("/audit", { q: query.get("q"), end: from })}>
            {words.older}
          </a>
        )}
        {query.get("end") && (
          <a class="button" href={link("/audit", { q: query.get("q") })}>
            {words.newest}
          </a>
        )}
      </nav>
    </div>
  );
}

function Verify() {
  const [found, setFound] = useState<Answer<"GET /api/audit/verification"> | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const verify = () => {
    setBusy(true);
    setProblem(null);
    call("GET /api/audit/verification")
      .then(setFound)
      .catch(setProblem)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <button type="button" class="button small push" disabled={isBusy} onClick={verify}>
        {words.verify}
      </button>
      {problem !== null && <Refusal of={problem} />}
      {found && (
        <div class={"audit-verdict notice tone-" + (found.intact ? "good" : "bad")} role="status">
          <strong>{found.intact ? words.intact(plural(found.lines, "line")) : words.broken}</strong>
          {found.findings.map((one) => (
            <p key={one.number}>
              {one.number}: {one.problem}
            </p>
          ))}
          {found.gaps.map((gap) => (
            <p key={gap.since}>
              {words.gap} <Time at={gap.since} /> {gap.until && <>– <Time at={gap.until} /></>}
            </p>
          ))}
        </div>
      )}
    </>
  );
}
