import "./queues.css";
import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { Confirm, type Action } from "../../components/Confirm.tsx";
import { Empty } from "../../components/Empty.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { Status } from "../../components/Status.tsx";
import type { Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { toast } from "../../components/Toasts.tsx";
import { useEvery } from "../../core/every.ts";
import { number } from "../../core/format.ts";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { Seek } from "./Seek.tsx";

export type QueueItem = Answer<"GET /api/queues">["items"][number];

const words = text.queues;
const REFRESH = 3_000;
/** The server counts no further. */
const MOST_LAG = 10_000;

function inboxOf(queue: QueueItem, more: Record<string, string> = {}): string {
  return link("/inbox", { source: "queue/" + queue.name, ...more });
}

/** A count that leads to the events that it counts. */
function Counted({ of, href }: { of: number; href: string }) {
  return of > 0 && may("inbox:read") ? <a href={href}>{number(of)}</a> : <>{number(of)}</>;
}

/** What flows read from brokers: how much waits there, how fast it is read, and what is in the way. */
export function QueuesPage() {
  const queues = usePaged("GET /api/queues", { query: { limit: "200" } }, (page) => page.items);
  const [action, ask] = useState<Action | null>(null);
  const [sought, seek] = useState<QueueItem | null>(null);
  useEvery(REFRESH, queues.reload);
  const change = (one: QueueItem): Action => {
    const isPaused = one.status === "paused" || one.status === "pausing";
    const path = { name: one.name };
    return {
      title: isPaused ? words.resumeTitle(one.name) : words.pauseTitle(one.name),
      says: isPaused ? words.resumeSays : words.pauseSays,
      label: isPaused ? words.resume : words.pause,
      run: async () => {
        await (isPaused ? call("POST /api/queues/{name}/resume", { path }) : call("POST /api/queues/{name}/pause", { path }));
        toast(isPaused ? words.isResumed : words.isPaused);
        queues.reload();
      },
    };
  };
  const columns: Column<QueueItem>[] = [
    {
      name: words.name,
      show: (one) => (
        <>
          <strong class="cell-word">{one.name}</strong>
          <small class="queue-from muted">
            {words.readBy(one.queue, one.connection)} <a href={link(pathTo("flows", one.flow))}>{one.flow}</a>
            {one.ordered && " · " + words.ordered}
          </small>
        </>
      ),
    },
    {
      name: words.state,
      show: (one) => (
        <span>
          <Status of={one.status === "waiting" ? "held-up" : one.status} />
          {one.problem && <small class="queue-problem">{one.problem}</small>}
          {one.notice && <small class="queue-problem">{one.notice}</small>}
          {one.deletedUnread > 0 && <small class="queue-problem">{words.deletedUnread(number(one.deletedUnread))}</small>}
        </span>
      ),
    },
    { name: words.lag, kind: "number", show: (one) => <strong class={one.lag ? "queue-lag" : ""}>{one.lag === null ? words.unknown : number(one.lag) + (one.lag >= MOST_LAG ? "+" : "")}</strong> },
    { name: words.rate, kind: "number", show: (one) => <span class="cell-word">{words.perMinute(number(one.perMinute))}</span> },
    { name: words.received, kind: "number", show: (one) => <Counted of={one.received} href={inboxOf(one)} /> },
    { name: words.duplicates, kind: "number", show: (one) => <Counted of={one.duplicates} href={inboxOf(one, { repeated: "true" })} /> },
    { name: words.invalid, kind: "number", show: (one) => <Counted of={one.invalid} href={inboxOf(one, { outcome: "invalid" })} /> },
    { name: words.filtered, kind: "number", show: (one) => number(one.filtered) },
    { name: words.rebalances, kind: "number", show: (one) => number(one.rebalances) },
    { name: words.last, kind: "minor", show: (one) => one.lastAt && <span class="cell-word"><Time at={one.lastAt} isRelative /></span> },
    {
      name: text.flow.actions,
      kind: "actions",
      show: (one) =>
        may("inbox:write") && (
          <>
            <button type="button" class="button small" onClick={() => ask(change(one))}>
              {one.status === "paused" || one.status === "pausing" ? words.resume : words.pause}
            </button>
            <button type="button" class="button small" onClick={() => seek(one)}>
              {words.seek}
            </button>
          </>
        ),
    },
  ];
  return (
    <ListPage
      title={words.title}
      lead={words.lead}
      of={queues}
      columns={columns}
      keyOf={(one) => one.name}
      empty={<Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />}
    >
      {action && <Confirm action={action} onClose={() => ask(null)} />}
      {sought && <Seek of={sought} onChange={queues.reload} onClose={() => seek(null)} />}
    </ListPage>
  );
}
