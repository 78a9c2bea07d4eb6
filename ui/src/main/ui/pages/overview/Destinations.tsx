import { may } from "../../api/session.ts";
import { Status } from "../../components/Status.tsx";
import { Table, type Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { duration, number } from "../../core/format.ts";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import type { Overview } from "./OverviewPage.tsx";

const words = text.overview;

type Destination = Overview["destinations"][number];

const STATES: Record<string, string> = { closed: "ok", open: "stopped", "half-open": "probing" };

const COLUMNS: Column<Destination>[] = [
  { name: words.destination, show: (one) => (may("connections:read") ? <a href={link(pathTo("connections", one.name))}>{one.name}</a> : one.name) },
  {
    name: words.state,
    kind: "short",
    show: (one) => (
      <>
        <Status of={STATES[one.breaker] ?? one.breaker} />
        {one.until && <span class="muted small-text"> <Time at={one.until} isRelative /></span>}
      </>
    ),
  },
  { name: words.rate, kind: "minor", show: (one) => (one.rate ? words.perTime(number(one.rate), duration(one.rateMillis ?? 1000)) : words.unlimited) },
  { name: words.calls, kind: "number", show: (one) => number(one.underWay) + (one.calls ? " / " + number(one.calls) : "") },
  { name: words.queued, kind: "number", show: (one) => number(one.waiting) },
];

/** Limits and state of external systems, as the node that answers sees them. */
export function Destinations({ of }: { of: Destination[] }) {
  return (
    <section class="panel overview-part" id="destinations">
      <h2>{words.destinations}</h2>
      {of.length === 0 ? <p class="muted">{words.noDestinations}</p> : <Table label={words.destinations} columns={COLUMNS} rows={of} keyOf={(one) => one.name} />}
    </section>
  );
}
