import "./inbox.css";
import { usePaged } from "../../api/paged.ts";
import type { Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { Empty } from "../../components/Empty.tsx";
import { FilterBox } from "../../components/FilterBox.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { Status } from "../../components/Status.tsx";
import type { Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { link, pathTo, setQuery, usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";
import { Replay } from "./Replay.tsx";

type EventItem = Answer<"GET /api/inbox">["items"][number];

const words = text.inbox;

export const OUTCOMES = ["accepted", "duplicate", "stale", "conflicting", "invalid", "rejected", "review"];

const COLUMNS: Column<EventItem>[] = [
  { name: words.event, show: (one) => <span class="mono">{one.event}</span> },
  { name: words.outcome, kind: "short", show: (one) => <Status of={one.outcome} /> },
  { name: words.redeliveries, kind: "short", show: (one) => one.redeliveries > 0 && <span class="badge tone-calm">{words.stopped(one.redeliveries)}</span> },
  { name: words.source, kind: "minor", show: (one) => one.source },
  { name: words.run, kind: "minor", show: (one) => (one.run ? <a href={link(pathTo("runs", one.run))}>{one.flow}</a> : <span class="muted">{one.flow}</span>) },
  { name: words.detail, kind: "long", show: (one) => one.detail ?? "" },
  { name: words.received, kind: "short", show: (one) => <Time at={one.receivedAt} /> },
];

/** All events that came in, and what became of each. */
export function InboxPage() {
  const { query } = usePlace();
  const filter = { source: query.get("source") ?? "", event: query.get("event") ?? "", outcome: query.get("outcome") ?? "", repeated: query.get("repeated") ?? "" };
  const events = usePaged("GET /api/inbox", { query: { ...filter, limit: "100" } }, (page) => page.items, () => true);
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <ListPage
      title={words.title}
      lead={words.lead}
      actions={
        may("inbox:write") && (
          <button type="button" class="button" onClick={() => setQuery({ replay: 1 })}>
            {words.replay}
          </button>
        )
      }
      filters={
        <>
          <FilterBox name="outcome" label={words.outcome} options={OUTCOMES.map((one) => [one, text.status[one] ?? one])} />
          <FilterBox name="repeated" label={words.redeliveries} options={[["true", words.repeated]]} />
          <FilterBox name="source" label={words.source} />
          <FilterBox name="event" label={words.event} />
        </>
      }
      of={events}
      columns={COLUMNS}
      keyOf={(one) => one.id}
      hrefOf={(one) => link(pathTo("inbox", one.id))}
      empty={isFiltered ? <Empty title={words.none} /> : <Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />}
    >
      {query.get("replay") && may("inbox:write") && <Replay source={filter.source} onClose={() => setQuery({ replay: null })} onChange={events.reload} />}
    </ListPage>
  );
}
