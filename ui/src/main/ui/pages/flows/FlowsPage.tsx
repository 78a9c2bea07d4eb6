import { usePaged } from "../../api/paged.ts";
import type { Answer } from "../../api/client.ts";
import { Empty } from "../../components/Empty.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { Status } from "../../components/Status.tsx";
import type { Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

type FlowItem = Answer<"GET /api/flows">["items"][number];

/** In one word: live, retired, not live yet, or never released. */
export function flowState(flow: { live: number | null; retiredAt: string | null; newest: number | null }): string {
  return flow.live !== null ? "live" : flow.retiredAt ? "retired" : flow.newest !== null ? "not-live" : "draft";
}

const words = text.flows;

const COLUMNS: Column<FlowItem>[] = [
  { name: words.flow, show: (flow) => flow.flow },
  { name: words.state, kind: "short", show: (flow) => <Status of={flowState(flow)} /> },
  { name: words.live, kind: "short", show: (flow) => flow.live ?? "" },
  {
    name: words.newest,
    kind: "minor",
    show: (flow) => (flow.newest !== null && flow.newest !== flow.live ? words.waits(flow.newest) : (flow.newest ?? "")),
  },
  { name: words.labels, kind: "minor", show: (flow) => flow.labels.join(", ") },
  {
    name: words.promoted,
    kind: "minor",
    show: (flow) => flow.promotedAt && <><Time at={flow.promotedAt} /> <span class="muted">{flow.promotedBy}</span></>,
  },
];

export function FlowsPage() {
  const flows = usePaged("GET /api/flows", { query: { limit: "200" } }, (page) => page.items);
  return (
    <ListPage
      title={words.title}
      of={flows}
      columns={COLUMNS}
      keyOf={(flow) => flow.flow}
      hrefOf={(flow) => link(pathTo("flows", flow.flow))}
      empty={<Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />}
    />
  );
}
