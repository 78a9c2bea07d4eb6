import { useEffect, useRef, useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Diff } from "../../components/Diff.tsx";
import { Empty } from "../../components/Empty.tsx";
import { Check } from "../../components/Field.tsx";
import { More } from "../../components/More.tsx";
import { Show } from "../../components/Show.tsx";
import { Table, type Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { toast } from "../../components/Toasts.tsx";
import { setQuery, usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";
import type { FlowData } from "./FlowSummary.tsx";

type ReleaseItem = Answer<"GET /api/flows/{flow}/releases">["items"][number];

const words = text.flow;

/** All releases, the difference of any two, and which one is live. */
export function ReleaseList({ flow, onChange }: { flow: FlowData; onChange: () => void }) {
  const { query } = usePlace();
  const releases = usePaged("GET /api/flows/{flow}/releases", { path: { flow: flow.flow }, query: { limit: "50" } }, (page) => page.items);
  const [asked, ask] = useState<number | null>(null);
  const to = Number(query.get("to") ?? flow.newest ?? 0);
  const from = Number(query.get("from") ?? (flow.live !== null && flow.live !== to ? flow.live : to - 1));
  const columns: Column<ReleaseItem>[] = [
    {
      name: words.number,
      kind: "short",
      show: (one) => (
        <>
          <strong>{one.release}</strong> {one.release === flow.live && <span class="badge tone-good">{text.status.live}</span>}
        </>
      ),
    },
    { name: words.note, kind: "long", show: (one) => one.note ?? "" },
    { name: words.author, kind: "minor", show: (one) => one.author },
    { name: words.made, kind: "short", show: (one) => <Time at={one.createdAt} /> },
    { name: words.hash, kind: "minor", show: (one) => <code title={one.hash}>{one.hash.slice(0, 12)}</code> },
    {
      name: words.actions,
      kind: "actions",
      show: (one) => (
        <>
          {one.release > 1 && (
            <button type="button" class="button small" onClick={() => setQuery({ from: one.release - 1, to: one.release })}>
              {words.changes}
            </button>
          )}
          {may("flows:write") && one.release !== flow.live && (
            <button type="button" class="button small" onClick={() => ask(one.release)}>
              {flow.live !== null && one.release < flow.live ? words.rollBack : words.promote}
            </button>
          )}
        </>
      ),
    },
  ];
  const section = useRef<HTMLElement>(null);
  const isAsked = query.has("to");
  useEffect(() => {
    if (isAsked) section.current?.scrollIntoView({ block: "nearest" });
  }, [isAsked, from, to]);
  return (
    <Show of={releases}>
      {(pages) =>
        pages.items.length === 0 ? (
          <Empty title={words.noRelease} hint={words.noReleaseHint} command={text.commands.release(flow.flow)} />
        ) : (
          <>
            <Table label={words.releases} columns={columns} rows={pages.items} keyOf={(one) => String(one.release)} />
            <More of={releases} />
            {from >= 1 && from !== to && (
              <section ref={section}>
                <h2>{words.difference}</h2>
                <div class="filter-bar">
                  <Chooser name="from" value={from} of={pages.items} label={words.from} />
                  <Chooser name="to" value={to} of={pages.items} label={words.to} />
                </div>
                <ReleaseDiff flow={flow.flow} from={from} to={to} />
              </section>
            )}
            {asked !== null && <Promote flow={flow} release={asked} onClose={() => ask(null)} onChange={onChange} />}
          </>
        )
      }
    </Show>
  );
}

function Chooser({ name, value, of, label }: { name: string; value: number; of: ReleaseItem[]; label: string }) {
  return (
    <label>
      {label}{" "}
      <select value={String(value)} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
        {of.map((one) => (
          <option key={one.release} value={String(one.release)}>
            {words.release(one.release)}
          </option>
        ))}
      </select>
    </label>
  );
}

function ReleaseDiff({ flow, from, to }: { flow: string; from: number; to: number }) {
  const before = useCall("GET /api/flows/{flow}/releases/{release}", { path: { flow, release: String(from) } });
  const after = useCall("GET /api/flows/{flow}/releases/{release}", { path: { flow, release: String(to) } });
  return (
    <Show of={before}>
      {(old) => (
        <Show of={after}>
          {(fresh) =>
            old.text === fresh.text ? <p class="muted">{words.same}</p> : <Diff before={old.text ?? ""} after={fresh.text ?? ""} />
          }
        </Show>
      )}
    </Show>
  );
}

function Promote({ flow, release, onClose, onChange }: { flow: FlowData; release: number; onClose: () => void; onChange: () => void }) {
  const [allowMissing, allow] = useState(false);
  const isBack = flow.live !== null && release < flow.live;
  const promote = async () => {
    await call("PUT /api/flows/{flow}/live", { path: { flow: flow.flow }, body: { release, allowMissing } });
    toast(words.isLive(release));
    onChange();
  };
  return (
    <Confirm
      action={{
        title: isBack ? words.rollBackTitle(release) : words.promoteTitle(release),
        says: (
          <div class="promote-says">
            <p>{words.promoteSays(release)}</p>
            {flow.live !== null && <ReleaseDiff flow={flow.flow} from={flow.live} to={release} />}
            <Check label={words.allowMissing} value={allowMissing} onValue={allow} />
          </div>
        ),
        label: isBack ? words.rollBack : words.promote,
        run: promote,
      }}
      onClose={onClose}
    />
  );
}
