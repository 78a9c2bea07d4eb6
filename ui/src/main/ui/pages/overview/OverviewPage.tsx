import "./overview.css";
import type { Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Copy } from "../../components/Copy.tsx";
import { Show } from "../../components/Show.tsx";
import { Time } from "../../components/Time.tsx";
import { useEvery } from "../../core/every.ts";
import { number, plural } from "../../core/format.ts";
import { link, setQuery, usePlace } from "../../core/router.ts";
import { useMemo, useState } from "preact/hooks";
import { text } from "../../text.ts";
import { Chart } from "./Chart.tsx";
import { Destinations } from "./Destinations.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { NodesPanel } from "./NodesPanel.tsx";

export type Overview = Answer<"GET /api/overview">;

const words = text.overview;
const SPANS: Record<string, number> = { quarter: 900, hour: 3600, day: 86400, week: 7 * 86400, month: 30 * 86400 };
const REFRESH = 30_000;
/** Further causes of failures are shown when a person asks for them. */
const CAUSES = 6;
const MOST_RETRYING = 200;

/** Is anything wrong? What was done, what was stopped, what waits. A number leads to the list of what it counts, if there is one. */
export function OverviewPage() {
  const { query } = usePlace();
  // Without a choice it is a day; on a server that began today, the shortest span that has all its runs.
  const [begin, setBegin] = useState<number | null>(null);
  const chosen = SPANS[query.get("span") ?? ""] ? query.get("span")! : null;
  const span = chosen ?? spanSince(begin);
  const [tick, setTick] = useState(0);
  // the begin moves on with time, but not with every draw
  const from = useMemo(() => new Date(Date.now() - SPANS[span]! * 1000).toISOString(), [span, tick]);
  useEvery(REFRESH, () => setTick((n) => n + 1));
  const overview = useCall("GET /api/overview", { query: { from } }, () => true);
  const [last, setLast] = useState<{ span: string; data: Overview } | null>(null);
  if (overview.data && overview.data !== last?.data) setLast({ span, data: overview.data });
  const shown = overview.data ?? (last && (last.span === span || !chosen) ? last.data : undefined);
  const first = chosen || !overview.data || span === "quarter" ? null : firstOf(overview.data);
  if (first !== null && first > (begin ?? 0)) setBegin(first);
  return (
    <div class="page overview">
      <header class="page-title">
        <h1>{words.title}</h1>
        <div class="push">
          <div class="spans" role="group" aria-label={words.span}>
          {Object.keys(SPANS).map((one) => (
            <button key={one} type="button" class="chip" aria-pressed={one === span} onClick={() => setQuery({ span: one })}>
              {words.spans[one as keyof typeof words.spans]}
            </button>
          ))}
          </div>
          <Copy label={text.copy.cli} of={() => text.commands.status(from)} class="small" />
        </div>
      </header>
      <Show of={{ ...overview, data: shown }}>{(data) => <Whole of={data} />}</Show>
    </div>
  );
}

/** Returns the shortest span, a day at most, that has reached back to an instant. */
function spanSince(begin: number | null): string {
  const away = begin === null ? Infinity : (Date.now() - begin) / 1000;
  return ["quarter", "hour"].find((one) => away < SPANS[one]!) ?? "day";
}

/** Returns when the first runs began, if the oldest part of the span has none. */
function firstOf(of: Overview): number | null {
  const first = of.slots.find((slot) => Object.values(slot.runs).some((count) => count > 0));
  return first ? Date.parse(first.at) : null;
}

/** What is wrong, the worst first: in words, each with its list. */
function wrongs(of: Overview): { says: string; href: string; tone: string }[] {
  const since = { since: of.from };
  const stopped = of.destinations.filter((one) => one.breaker !== "closed");
  return [
    of.reviews.count > 0 && { says: words.inReview(plural(of.reviews.count, "effect")), href: link("/reviews"), tone: "ask" },
    // a run can be in review without an effect: what failed again and again was set aside
    of.runs.review > 0 && { says: words.runsWait(plural(of.runs.review, "run"), of.runs.review), href: link("/runs", { status: "review", ...since }), tone: "ask" },
    of.runs.failed > 0 && { says: words.failed(plural(of.runs.failed, "run")), href: link("/runs", { status: "partial,failed", ...since }), tone: "bad" },
    stopped.length > 0 && { says: words.stoppedTo(stopped.map((one) => one.name).join(", ")), href: "#destinations", tone: "bad" },
  ].filter((one) => one !== false);
}

function Whole({ of }: { of: Overview }) {
  const all = Object.values(of.runs).reduce((sum, one) => sum + one, 0);
  const wrong = wrongs(of);
  const retrying = useRetrying();
  // a quiet hour is not an empty server
  const any = useCall("GET /api/runs", all === 0 ? { query: { limit: "1" } } : null);
  if (all === 0 && any.data?.items.length === 0) {
    return (
      <>
        <Headline of={of} wrong={wrong} all={all} />
        <FirstSteps />
      </>
    );
  }
  return (
    <>
      <Headline of={of} wrong={wrong} all={all} />
      <div class="figures">
        <Figure name={words.reviews} of={of.reviews} href={link("/reviews")} tone="ask" scope="effects:read" />
        <Figure name={words.approvals} of={of.approvals} href={link("/desk")} tone="calm" scope="approvals:read" />
        <Figure name={words.doubts} of={of.doubts} href={link("/ledger", { state: "doubt" })} tone="ask" scope="effects:read" />
        <Figure name={words.waiting} of={of.waiting} href={link("/runs", { status: "waiting" })} tone="calm" />
        <Figure name={words.retrying} of={retrying.data} href={link("/runs", { status: "retrying" })} tone="warn" />
        <Figure name={words.running} of={of.running} href={link("/runs", { status: "running" })} tone="active" />
      </div>
      <section class="panel overview-part">
        <h2>{words.runs}</h2>
        <Chart of={of} />
        {!of.complete && <p class="muted">{words.incomplete}</p>}
      </section>
      <div class="overview-pair">
        <div class="overview-column">
          <Stopped of={of} />
          <Failing of={of} />
        </div>
        <div class="overview-column">
          <Destinations of={of.destinations} />
          {may("admin") && <NodesPanel />}
        </div>
      </div>
    </>
  );
}

function Headline({ of, wrong, all }: { of: Overview; wrong: ReturnType<typeof wrongs>; all: number }) {
  return (
    <div class={"headline tone-" + (wrong[0]?.tone ?? "good")} role="status">
      <span class="headline-mark" aria-hidden="true">
        {wrong.length ? "!" : "✓"}
      </span>
      <p class="headline-says">
        {wrong.length === 0
          ? words.fine
          : wrong.map((one, i) => (
              <span key={one.says}>
                {i > 0 && ", "}
                <a href={one.href}>{one.says}</a>
              </span>
            ))}
        {wrong.length > 0 && "."}
      </p>
      <p class="headline-more">
        <a href={link("/runs", { since: of.from })}>{plural(all, "run")}</a>
        {words.inSpan}
        <a href={link("/runs", { since: of.from, duplicates: "true" })}>{plural(stoppedOf(of), "duplicate")}</a>
        {words.wereStopped}
        {of.approvals.count > 0 && (
          <>
            {" "}
            <a href={link("/desk")}>{words.asks(plural(of.approvals.count, "approval"))}</a>
          </>
        )}
      </p>
    </div>
  );
}

/** How many runs try again later, and since when the first of them does. */
function useRetrying(): { data: Overview["reviews"] } {
  const runs = useCall("GET /api/runs", { query: { status: "retrying", limit: String(MOST_RETRYING) } }, () => true);
  const items = runs.data?.items ?? [];
  return { data: { count: items.length, oldest: items.at(-1)?.createdAt ?? null } };
}

function Figure({ name, of, href, tone, scope }: { name: string; of: Overview["reviews"]; href: string; tone: string; scope?: string }) {
  const inner = (
    <>
      <span class="figure-count">{number(of.count)}</span>
      <span class="figure-name">{name}</span>
      <span class="figure-more">
        {of.oldest && (
          <>
            {words.oldest} <Time at={of.oldest} isRelative />
          </>
        )}
      </span>
    </>
  );
  const style = "figure tone-" + (of.count ? tone : "quiet");
  return scope && !may(scope) ? (
    <div class={style}>{inner}</div>
  ) : (
    <a class={style} href={href}>
      {inner}
    </a>
  );
}

function stoppedOf(of: Overview): number {
  return Object.values(of.stopped).reduce((sum, one) => sum + one, 0);
}

function Stopped({ of }: { of: Overview }) {
  const started = link("/runs", { since: of.from, duplicates: "true" });
  // No list is limited to the repeats of a span but that of runs: the name leads to the place, and the number nowhere.
  const doors = [
    ["start", of.stopped.start, started, started],
    ["webhook", of.stopped.webhook, may("inbox:read") ? link("/inbox", { repeated: "true" }) : null, null],
    ["effect", of.stopped.effect, may("effects:read") ? link("/ledger") : null, null],
    ["child", of.stopped.child, started, started],
    ["answer", of.stopped.answer, may("approvals:read") ? link("/desk", { state: "decided" }) : null, null],
  ] as const;
  const most = Math.max(1, ...doors.map(([, count]) => count));
  return (
    <section class="panel overview-part">
      <h2>{words.stopped}</h2>
      <p class="muted">{words.stoppedSays}</p>
      <ul class="bars">
        {doors.map(([door, count, place, list]) => (
          <li key={door}>
            <span>{place ? <a href={place}>{words.doors[door]}</a> : words.doors[door]}</span>
            <span class="bar" aria-hidden="true">
              <span class="tone-good" style={{ width: (count / most) * 100 + "%" }} />
            </span>
            <Count of={count} href={list} about={words.doors[door]} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A number that leads to what it counts. */
function Count({ of, href, about }: { of: number; href: string | null; about: string }) {
  return (
    <strong>
      {href ? (
        <a href={href} aria-label={number(of) + " " + about}>
          {number(of)}
        </a>
      ) : (
        number(of)
      )}
    </strong>
  );
}

function Failing({ of }: { of: Overview }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? of.failures : of.failures.slice(0, CAUSES);
  const causeOf = (one: Overview["failures"][number]) =>
    link("/runs", { status: "partial,failed", flow: one.flow, error: one.code, since: of.from });
  const most = Math.max(1, ...of.failures.map((one) => one.count));
  return (
    <section class="panel overview-part">
      <h2>{words.failures}</h2>
      {of.failures.length === 0 ? (
        <p class="muted">{words.noFailures}</p>
      ) : (
        <ul class="bars">
          {shown.map((one) => (
            <li key={one.flow + " " + one.code}>
              <span class="cut">
                <a href={causeOf(one)}>{one.code || words.noCode}</a>
                <span class="muted"> {one.flow}</span>
              </span>
              <span class="bar" aria-hidden="true">
                <span class="tone-bad" style={{ width: (one.count / most) * 100 + "%" }} />
              </span>
              <Count of={one.count} href={causeOf(one)} about={one.code || words.noCode} />
            </li>
          ))}
        </ul>
      )}
      {of.failures.length > shown.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {words.moreCauses(of.failures.length - shown.length)}
        </button>
      )}
    </section>
  );
}
