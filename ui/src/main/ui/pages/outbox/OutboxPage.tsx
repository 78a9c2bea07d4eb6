import { usePaged } from "../../api/paged.ts";
import type { Answer } from "../../api/client.ts";
import { Empty } from "../../components/Empty.tsx";
import { FilterBox } from "../../components/FilterBox.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { Status } from "../../components/Status.tsx";
import type { Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { link, pathTo, usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";

export type MessageItem = Answer<"GET /api/outbox">["items"][number];

const words = text.outbox;

const COLUMNS: Column<MessageItem>[] = [
  { name: words.message, show: (one) => <span class="mono">{one.id}</span> },
  { name: words.state, kind: "short", show: (one) => <Status of={one.state} /> },
  { name: words.destination, show: (one) => one.destination },
  { name: words.type, kind: "minor", show: (one) => one.type },
  { name: words.problem, kind: "long", show: (one) => one.problem ?? "" },
  { name: words.published, kind: "short", show: (one) => <Time at={one.publishedAt} /> },
];

/** All messages that were published, and whether each was delivered. */
export function OutboxPage() {
  const { query } = usePlace();
  const filter = { status: query.get("status") ?? "", destination: query.get("destination") ?? "" };
  const messages = usePaged("GET /api/outbox", { query: { ...filter, limit: "100" } }, (page) => page.items, () => true);
  return (
    <ListPage
      title={words.title}
      lead={words.lead}
      filters={
        <>
          <FilterBox name="status" label={words.state} options={["delivered", "undelivered", "dead"].map((one) => [one, text.status[one] ?? one])} />
          <FilterBox name="destination" label={words.destination} />
        </>
      }
      of={messages}
      columns={COLUMNS}
      keyOf={(one) => one.id}
      hrefOf={(one) => link(pathTo("outbox", one.id))}
      empty={
        filter.status || filter.destination ? (
          <Empty title={words.none} />
        ) : (
          <Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />
        )
      }
    />
  );
}
