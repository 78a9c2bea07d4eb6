import { useCall } from "../../api/use.ts";
import type { Answer } from "../../api/client.ts";
import { Copy } from "../../components/Copy.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Table, type Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { useEvery } from "../../core/every.ts";
import { number, plural } from "../../core/format.ts";
import { text } from "../../text.ts";

type Node = Answer<"GET /api/nodes">["items"][number];

const words = text.nodes;

const COLUMNS: Column<Node>[] = [
  { name: words.node, kind: "short", show: (one) => <>{words.name(one.node)} {one.answers && <span class="badge tone-quiet">{words.answers}</span>}</> },
  { name: words.state, kind: "short", show: () => <Status of="active" /> },
  { name: words.memory, kind: "number", show: (one) => number(one.runsInMemory) },
  { name: words.version, kind: "minor", show: (one) => one.version ?? <span class="muted">{words.unknown}</span> },
  { name: words.since, kind: "short", show: (one) => (one.since ?? one.startedAt) && <Time at={(one.since ?? one.startedAt)!} isRelative /> },
  { name: words.renewed, kind: "minor", show: (one) => (one.renewedAt ? <Time at={one.renewedAt} isRelative /> : <span class="muted">{words.noLease}</span>) },
  { name: words.expires, kind: "minor", show: (one) => one.expiresAt && <Time at={one.expiresAt} isRelative /> },
];

/** The processes that work on this store, with their leases. */
export function NodesPage() {
  const nodes = useCall("GET /api/nodes", {});
  useEvery(5_000, nodes.reload);
  return (
    <div class="page">
      <header class="page-title">
        <h1>{words.title}</h1>
        {nodes.data && <span class="muted">{plural(nodes.data.items.length, "node")}</span>}
        <div class="push">
          <Copy label={words.copy} of={() => JSON.stringify(nodes.data, null, 2)} />
        </div>
      </header>
      <Show of={nodes}>
        {(list) => (
          <>
            <p class="lead">{list.shared ? words.shared : words.alone}</p>
            <Table label={words.title} columns={COLUMNS} rows={list.items} keyOf={(one) => String(one.node)} />
          </>
        )}
      </Show>
    </div>
  );
}
