import type { Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { Empty } from "../../components/Empty.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import type { Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { link, pathTo } from "../../core/router.ts";
import { inWords } from "../../core/time.ts";
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

/** The limits of a connection in short: how many calls in a time, and how many at once. */
function limitsOf(limits: unknown): string {
  if (!limits) return "";
  const { rate, calls } = limits as { rate?: { limit: number; per: string }; calls?: number };
  return [rate && words.perTime(rate.limit, inWords(rate.per)), calls && words.atOnce(calls)].filter(Boolean).join(", ") || words.limited;
}

const COLUMNS: Column<ConnectionItem>[] = [
  { name: words.name, show: (one) => one.name },
  { name: words.kind, kind: "short", show: (one) => kindOf(one)[0] },
  { name: words.target, show: (one) => <span class="mono">{targetOf(kindOf(one)[1])}</span> },
  { name: words.limits, kind: "minor", show: (one) => limitsOf(kindOf(one)[1].limits) },
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
