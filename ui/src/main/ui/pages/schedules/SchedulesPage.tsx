import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { Confirm, type Action } from "../../components/Confirm.tsx";
import { Empty } from "../../components/Empty.tsx";
import { Field } from "../../components/Field.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { Status } from "../../components/Status.tsx";
import type { Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { toast } from "../../components/Toasts.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

type ScheduleItem = Answer<"GET /api/schedules">["items"][number];

const words = text.schedules;
const NEXT = 3;

/** What starts by the clock: when it comes next, and what was missed. */
export function SchedulesPage() {
  const schedules = usePaged("GET /api/schedules", { query: { limit: "200" } }, (page) => page.items, () => true);
  const [action, ask] = useState<Action | null>(null);
  const [filled, fill] = useState<ScheduleItem | null>(null);
  const canWrite = may("schedules:write");
  const change = (one: ScheduleItem): Action => ({
    title: one.paused ? words.resumeTitle(one.name) : words.pauseTitle(one.name),
    says: one.paused ? words.resumeSays(one.catchUp ?? "") : words.pauseSays,
    label: one.paused ? words.resume : words.pause,
    run: async () => {
      const path = { name: one.name };
      await (one.paused ? call("POST /api/schedules/{name}/resume", { path }) : call("POST /api/schedules/{name}/pause", { path }));
      toast(one.paused ? words.isResumed : words.isPaused);
      schedules.reload();
    },
  });
  const columns: Column<ScheduleItem>[] = [
    { name: words.name, show: (one) => <><strong class="cell-word">{one.name}</strong> {one.note && <small class="muted">{one.note}</small>}</> },
    { name: words.state, kind: "short", show: (one) => <Status of={one.paused ? "paused" : "active"} /> },
    { name: words.flow, kind: "minor", show: (one) => <a class="cell-word" href={link(pathTo("flows", one.flow))}>{one.flow}</a> },
    { name: words.cron, kind: "minor", show: (one) => <><span class="mono cell-word">{one.cron}</span> <span class="muted cell-word">{one.timezone ?? "UTC"}</span></> },
    { name: words.next, kind: "short", show: (one) => !one.paused && <Next of={one.next} /> },
    {
      name: words.last,
      kind: "minor",
      show: (one) => (
        <>
          {one.lastAt && <Time at={one.lastAt} />} {!!one.missed && <small class="badge tone-warn">{words.missed(one.missed)}</small>}{" "}
          {!!one.skipped && <small class="badge tone-quiet">{words.skipped(one.skipped)}</small>}
        </>
      ),
    },
    {
      name: text.flow.actions,
      kind: "actions",
      show: (one) =>
        canWrite && (
          <>
            <button type="button" class="button small" onClick={() => ask(change(one))}>
              {one.paused ? words.resume : words.pause}
            </button>
            <button type="button" class="button small" onClick={() => fill(one)}>
              {words.backfill}
            </button>
          </>
        ),
    },
  ];
  return (
    <ListPage
      title={words.title}
      of={schedules}
      columns={columns}
      keyOf={(one) => one.name}
      empty={<Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />}
    >
      {action && <Confirm action={action} onClose={() => ask(null)} />}
      {filled && <Backfill of={filled} onClose={() => fill(null)} />}
    </ListPage>
  );
}

/** The next instants: the first one also says how far away it is. */
function Next({ of }: { of: readonly string[] }) {
  return (
    <ol class="next-instants">
      {of.slice(0, NEXT).map((at, i) => (
        <li key={at} class={i > 0 ? "muted" : ""}>
          <Time at={at} />{" "}
          {i === 0 && (
            <span class="muted">
              <Time at={at} isRelative />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Starts the runs of a past time; an instant that has a run already gets no second one. */
function Backfill({ of, onClose }: { of: ScheduleItem; onClose: () => void }) {
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const run = async () => {
    const body = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const done = await call("POST /api/schedules/{name}/backfill", { path: { name: of.name }, body });
    toast(words.started(done.started));
  };
  const says = (
    <div class="dialog-fields">
      <p>{words.backfillSays}</p>
      <Field label={text.inbox.from} type="datetime-local" value={from} onValue={setFrom} required />
      <Field label={text.inbox.to} type="datetime-local" value={to} onValue={setTo} required />
    </div>
  );
  return <Confirm action={{ title: words.backfillTitle(of.name), says, label: words.backfillDo, run }} onClose={onClose} />;
}
