import type { Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { Empty } from "../../components/Empty.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import type { Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

export type ConnectionItem = Answer<"GET /api/connections">["items"][number];

const words = text.connections;

/** The kind of a connection, and what is set for it. */
export function kindOf(connection: ConnectionItem): [kind: string, form: Record<string, unknown>] {
  return Object.entries(connection.form as object).find(([, form]) => form !== null) ?? ["", {}];
}

function targetOf(form: Record<string, unknown>): string {
  return String(form.base ?? form.url ?? form.host ?? "");
}

const COLUMNS: Column<ConnectionItem>[] = [
  { name: words.name, show: (one) => one.name },
  { name: words.kind, kind: "short", show: (one) => kindOf(one)[0] },
  { name: words.target, show: (one) => <span class="mono">{targetOf(kindOf(one)[1])}</span> },
  { name: words.limits, kind: "minor", show: (one) => (kindOf(one)[1].limits ? words.limited : "") },
  { name: words.changed, kind: "minor", show: (one) => <><Time at={one.changedAt} /> <span class="muted">{one.changedBy}</span></> },
];

export function ConnectionsPage() {
  const connections = usePaged("GET /api/connections", { query: { limit: "200" } }, (page) => page.items);
  return (
    <ListPage
      title={words.title}
      lead={words.lead}
      of={connections}
      columns={COLUMNS}
      keyOf={(one) => one.name}
      hrefOf={(one) => link(pathTo("connections", one.name))}
      empty={<Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />}
    />
  );
}
