import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Empty } from "../../components/Empty.tsx";
import { Field } from "../../components/Field.tsx";
import { FilterBox } from "../../components/FilterBox.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import type { Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { toast } from "../../components/Toasts.tsx";
import { print } from "../../core/json.ts";
import { usePlace } from "../../core/router.ts";
import { jsonOf } from "../../core/schema.ts";
import { text } from "../../text.ts";

type Entry = Answer<"GET /api/kv">["items"][number];

const words = text.kv;

/** Values that flows share, by key. */
export function KvPage() {
  const prefix = usePlace().query.get("prefix") ?? "";
  const entries = usePaged("GET /api/kv", { query: { prefix, limit: "100" } }, (page) => page.items);
  const [edited, edit] = useState<Entry | "new" | null>(null);
  const [removed, remove] = useState<Entry | null>(null);
  const canWrite = may("kv:write");
  const columns: Column<Entry>[] = [
    { name: words.key, show: (one) => <span class="mono">{one.key}</span> },
    { name: words.value, kind: "long", show: (one) => <code>{print(one.value, 0).slice(0, 2000)}</code> },
    { name: words.version, kind: "number", show: (one) => one.version },
    { name: words.expires, kind: "minor", show: (one) => one.expiresAt && <Time at={one.expiresAt} isRelative /> },
    {
      name: text.flow.actions,
      kind: "actions",
      show: (one) =>
        canWrite && (
          <>
            <button type="button" class="button small" onClick={() => edit(one)}>
              {words.edit}
            </button>
            <button type="button" class="button small" onClick={() => remove(one)}>
              {words.remove}
            </button>
          </>
        ),
    },
  ];
  return (
    <ListPage
      title={words.title}
      lead={words.lead}
      actions={
        canWrite && (
          <button type="button" class="button" onClick={() => edit("new")}>
            {words.add}
          </button>
        )
      }
      filters={<FilterBox name="prefix" label={words.prefix} />}
      of={entries}
      columns={columns}
      keyOf={(one) => one.key}
      empty={prefix ? <Empty title={words.none} /> : <Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />}
    >
      {edited !== null && <Write entry={edited === "new" ? null : edited} onClose={() => edit(null)} onChange={entries.reload} />}
      {removed && (
        <Confirm
          action={{
            title: words.removeTitle(removed.key),
            says: words.removeSays,
            label: words.remove,
            isDangerous: true,
            run: async () => {
              await call("DELETE /api/kv/{key}", { path: { key: removed.key } });
              toast(words.isRemoved);
              entries.reload();
            },
          }}
          onClose={() => remove(null)}
        />
      )}
    </ListPage>
  );
}

/** Writes an entry, if no one else has since it was read. */
function Write({ entry, onClose, onChange }: { entry: Entry | null; onClose: () => void; onChange: () => void }) {
  const [key, setKey] = useState(entry?.key ?? "");
  const [value, setValue] = useState(entry ? print(entry.value) : "");
  const write = async () => {
    if (jsonOf(value) === undefined) throw new Error(text.form.notJson);
    const body = `{"value": ${value}, "version": ${entry?.version ?? 0}}`;
    const now = await call("PUT /api/kv/{key}", { path: { key }, text: body }).finally(onChange); // a refusal means that it has changed
    if (!now.written) throw new Error(words.changed(now.version, print(now.value, 0).slice(0, 500)));
    toast(words.isWritten);
  };
  const says = (
    <div class="dialog-fields">
      <p>{entry ? words.editSays(entry.version) : words.addSays}</p>
      {!entry && <Field label={words.key} value={key} onValue={setKey} required />}
      <Field label={words.value} value={value} onValue={setValue} lines={8} mono required />
    </div>
  );
  return <Confirm action={{ title: entry ? entry.key : words.add, says, label: words.save, run: write }} onClose={onClose} />;
}
