import "./ledger.css";
import { useState } from "preact/hooks";
import { addressOf, type Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { Empty } from "../../components/Empty.tsx";
import { FilterBox } from "../../components/FilterBox.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { Status } from "../../components/Status.tsx";
import type { Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { go, link, pathTo, usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";
import { Import } from "./Import.tsx";

type Effect = Answer<"GET /api/effects">["items"][number];

const words = text.ledger;

const STATES = ["pending", "done", "doubt", "review", "failed", "abandoned", "undoing", "undone"];
const NAMES = ["state", "name", "key", "keyPrefix", "externalId", "wireKey", "run"];

const COLUMNS: Column<Effect>[] = [
  { name: words.key, show: (one) => <span class="mono">{one.key}</span> },
  { name: words.state, kind: "short", show: (one) => <Status of={one.state} /> },
  { name: words.name, show: (one) => one.name },
  { name: words.guard, kind: "minor", show: (one) => one.guard },
  { name: words.externalId, kind: "minor", show: (one) => one.externalId && <span class="mono">{one.externalId}</span> },
  { name: words.attempts, kind: "minor", show: (one) => one.attempts },
  { name: words.sent, kind: "minor", show: (one) => one.firstSentAt && <Time at={one.firstSentAt} /> },
];

/** All effects by key: what was done, no matter by which run. */
export function LedgerPage() {
  const { query } = usePlace();
  const filter = Object.fromEntries(NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])));
  const effects = usePaged("GET /api/effects", { query: { ...filter, limit: "100" } }, (page) => page.items, () => true);
  const isFiltered = Object.keys(filter).length > 0;
  const [isImporting, bringIn] = useState(false);
  const exported = { ...(filter.name ? { name: filter.name } : {}), ...(filter.state ? { state: filter.state } : {}) };
  return (
    <ListPage
      title={words.title}
      lead={words.lead}
      actions={
        <>
          <a class="button" href={addressOf("GET /api/ledger/export", { query: { ...exported, format: "csv" } })} download title={words.exportHint}>
            {words.export}
          </a>
          {may("effects:settle") && (
            <button type="button" class="button" onClick={() => bringIn(true)}>
              {words.import}
            </button>
          )}
        </>
      }
      filters={
        <>
          <FilterBox name="state" label={words.state} options={STATES.map((one) => [one, text.status[one] ?? one])} />
          <FilterBox name="keyPrefix" label={words.keyPrefix} />
          <FilterBox name="name" label={words.name} />
          <FilterBox name="externalId" label={words.externalId} />
          <FilterBox name="wireKey" label={words.wireKey} />
          {(filter.key || filter.run) && (
            <a class="chip" href={link("/ledger")}>
              {filter.key ? words.key + ": " + filter.key : words.run + ": " + filter.run} <span aria-hidden="true">×</span>
            </a>
          )}
          {isFiltered && <a href={link("/ledger")}>{text.runs.clear}</a>}
        </>
      }
      of={effects}
      columns={COLUMNS}
      keyOf={(one) => one.id}
      hrefOf={(one) => link(pathTo("ledger", one.id))}
      empty={isFiltered ? <Empty title={words.none} hint={words.noneHint} /> : <Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />}
    >
      <Expired name={filter.name ?? ""} />
      {isImporting && <Import onClose={() => bringIn(false)} onChange={effects.reload} />}
    </ListPage>
  );
}

/** Looks up a key whose record was deleted: a tombstone still says that it was done. */
function Expired({ name: known }: { name: string }) {
  const [name, setName] = useState(known);
  const [key, setKey] = useState("");
  return (
    <details class="panel">
      <summary>{words.expired}</summary>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          go(link("/ledger/key", { name, key }));
        }}
      >
        <p class="wide muted">{words.expiredSays}</p>
        <label class="field">
          <span>{words.name}</span>
          <input required value={name} placeholder={text.samples.effect} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>{words.key}</span>
          <input required value={key} onInput={(event) => setKey(event.currentTarget.value)} />
        </label>
        <div class="form-actions">
          <button class="button">{words.look}</button>
        </div>
      </form>
    </details>
  );
}
