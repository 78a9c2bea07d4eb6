import { session } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Facts } from "../../components/Facts.tsx";
import { Show } from "../../components/Show.tsx";
import { Table, type Column } from "../../components/Table.tsx";
import { Tabs } from "../../components/Tabs.tsx";
import { Agents } from "./Agents.tsx";
import { Time } from "../../components/Time.tsx";
import type { Answer } from "../../api/client.ts";
import { version } from "../../core/place.ts";
import { duration, number } from "../../core/format.ts";
import { link, pathTo, usePlace } from "../../core/router.ts";
import { useStore } from "../../core/store.ts";
import { text } from "../../text.ts";

const words = text.settings;

type Retention = Answer<"GET /api/retention">;

/** How this server is set, to be read: settings are changed in its file or by its environment. */
export function SettingsPage() {
  const tab = usePlace().query.get("tab") ?? "server";
  return (
    <div class="page">
      <header class="page-title">
        <h1>{words.title}</h1>
      </header>
      <Tabs label={words.title} of={[["server", words.server], ["retention", words.retention], ["secrets", words.secrets], ["agents", words.agents]]} />
      {tab === "retention" ? <RetentionPart /> : tab === "secrets" ? <Secrets /> : tab === "agents" ? <Agents /> : <ServerPart />}
    </div>
  );
}

function ServerPart() {
  const caller = useStore(session);
  const restore = useCall("GET /api/restore", {});
  const keys = useCall("GET /api/token-keys", {});
  return (
    <>
      <p class="lead">{words.lead}</p>
      <section>
        <h2>{words.program}</h2>
        <div class="facts-grid long-names">
          <Facts of={[[words.version, version], [words.store, restore.data?.store && <span class="mono">{restore.data.store}</span>], [words.tokenKey, keys.data?.current]]} />
        </div>
      </section>
      {restore.data?.restored && <p class="notice tone-warn">{words.restored(restore.data.as ?? "")}</p>}
      <section>
        <h2>{words.you}</h2>
        <div class="facts-grid long-names">
          <Facts
            of={[
              [words.name, caller?.name],
              [words.tenant, caller?.tenant],
              [words.scopes, caller?.scopes.join(", ")],
              [words.roles, caller?.roles.join(", ")],
              [words.until, caller?.endsAt && <Time at={caller.endsAt} />],
            ]}
          />
        </div>
      </section>
    </>
  );
}

const GROUPS: Column<Retention["leaving"][number]>[] = [
  { name: words.day, kind: "short", show: (one) => one.day },
  { name: words.kind, kind: "short", show: (one) => one.kind },
  { name: words.name, show: (one) => one.name },
  { name: words.count, kind: "number", show: (one) => number(one.count) },
];

const HELD: Column<Retention["held"][number]>[] = [
  { name: words.run, show: (one) => <a href={link(pathTo("runs", one.run))}>{one.key}</a> },
  { name: words.flow, kind: "short", show: (one) => one.flow },
  { name: words.why, show: (one) => one.because.map((reason) => reason.text).join("; ") },
];

function RetentionPart() {
  const retention = useCall("GET /api/retention", {});
  return (
    <Show of={retention}>
      {(data) => (
        <>
          {data.paused && <p class="notice tone-warn">{data.paused}</p>}
          <div class="facts-grid long-names">
            <Facts
              of={[
                [words.tombstones, span(data.tombstoneLife)],
                [words.events, span(data.eventLife)],
                ...Object.entries(data.keep as Record<string, string>).map(([flow, kept]) => [words.keepOf(flow), span(kept)] as [string, string]),
              ]}
            />
          </div>
          <Group title={words.leaving(data.days)} none={words.noneLeaving} rows={data.leaving} />
          <section>
            <h2>{words.held}</h2>
            {data.held.length ? <Table label={words.held} columns={HELD} rows={data.held} keyOf={(one) => one.run} /> : <p class="muted">{words.noneHeld}</p>}
          </section>
          <Group title={words.gone} none={words.noneGone} rows={data.gone} />
        </>
      )}
    </Show>
  );
}

/** Writes a duration of the server, such as PT720H, for people. */
function span(iso: string): string {
  const parts = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(iso);
  if (!parts) return iso;
  const [hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return duration(((hours! * 60 + minutes!) * 60 + seconds!) * 1000);
}

function Group({ title, none, rows }: { title: string; none: string; rows: Retention["leaving"] }) {
  return (
    <section>
      <h2>{title}</h2>
      {rows.length ? (
        <Table label={title} columns={GROUPS} rows={rows} keyOf={(one) => one.day + one.kind + one.name} />
      ) : (
        <p class="muted">{none}</p>
      )}
    </section>
  );
}

const SECRETS: Column<Answer<"GET /api/secrets">["items"][number]>[] = [
  { name: words.name, show: (one) => <span class="mono">{one.name}</span> },
  { name: words.source, kind: "short", show: (one) => one.source },
  { name: words.hosts, kind: "minor", show: (one) => one.hosts?.join(", ") ?? "" },
  { name: words.changed, kind: "short", show: (one) => one.changedAt && <><Time at={one.changedAt} /> <span class="muted">{one.changedBy}</span></> },
];

/** Names only: no one reads a secret back, not even an admin. */
function Secrets() {
  const secrets = useCall("GET /api/secrets", { query: { limit: "200" } });
  return (
    <Show of={secrets}>
      {(page) => (
        <>
          <p class="lead">{words.secretsSay}</p>
          {page.items.length > 0 && <Table label={words.secrets} columns={SECRETS} rows={page.items} keyOf={(one) => one.name} />}
        </>
      )}
    </Show>
  );
}
