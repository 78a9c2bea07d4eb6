import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { Confirm, type Action } from "../../components/Confirm.tsx";
import { Empty } from "../../components/Empty.tsx";
import { Field } from "../../components/Field.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { Status } from "../../components/Status.tsx";
import type { Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { toast } from "../../components/Toasts.tsx";
import { bytes, number } from "../../core/format.ts";
import { text } from "../../text.ts";

type TenantItem = Answer<"GET /api/tenants">["items"][number];

const words = text.tenants;

function used(use: number | null, most: number | null | undefined, write: (value: number) => string): string {
  if (use === null) return "";
  return most == null ? write(use) : words.of(write(use), write(most));
}

/** Those who share this server, each apart from the others. */
export function TenantsPage() {
  const tenants = usePaged("GET /api/tenants", { query: { limit: "200" } }, (page) => page.items);
  const [action, ask] = useState<Action | null>(null);
  const [isMaking, make] = useState(false);
  const change = (one: TenantItem): Action => ({
    title: one.suspended ? words.resumeTitle(one.name) : words.suspendTitle(one.name),
    says: one.suspended ? words.resumeSays : words.suspendSays,
    label: one.suspended ? words.resume : words.suspend,
    isDangerous: !one.suspended,
    asksReason: true,
    run: async (reason) => {
      const args = { path: { name: one.name }, body: { reason } };
      await (one.suspended ? call("POST /api/tenants/{name}/resume", args) : call("POST /api/tenants/{name}/suspend", args));
      toast(one.suspended ? words.isResumed : words.isSuspended);
      tenants.reload();
    },
  });
  const columns: Column<TenantItem>[] = [
    { name: words.name, show: (one) => <strong>{one.name}</strong> },
    { name: words.state, kind: "short", show: (one) => <Status of={one.state} /> },
    { name: words.why, kind: "long", show: (one) => one.deletion?.reason ?? one.suspended?.reason ?? "" },
    { name: words.runsToday, kind: "minor", show: (one) => used(one.use.runsToday, one.quotas?.runsPerDay, number) },
    { name: words.inMemory, kind: "minor", show: (one) => used(one.use.runsInMemory, one.quotas?.runsInMemory, number) },
    { name: words.store, kind: "minor", show: (one) => used(one.use.storeBytes, one.quotas?.storeBytes, bytes) },
    { name: words.created, kind: "minor", show: (one) => <><Time at={one.createdAt} /> <span class="muted">{one.createdBy}</span></> },
    {
      name: text.flow.actions,
      kind: "actions",
      show: (one) =>
        !one.deletion && (
          <button type="button" class="button small" onClick={() => ask(change(one))}>
            {one.suspended ? words.resume : words.suspend}
          </button>
        ),
    },
  ];
  return (
    <ListPage
      title={words.title}
      lead={words.lead}
      actions={
        <button type="button" class="button" onClick={() => make(true)}>
          {words.make}
        </button>
      }
      of={tenants}
      columns={columns}
      keyOf={(one) => one.name}
      empty={<Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />}
    >
      {action && <Confirm action={action} onClose={() => ask(null)} />}
      {isMaking && <Make onClose={() => make(false)} onChange={tenants.reload} />}
    </ListPage>
  );
}

function Make({ onClose, onChange }: { onClose: () => void; onChange: () => void }) {
  const [name, setName] = useState("");
  const run = async () => {
    await call("POST /api/tenants", { body: { name } });
    toast(words.isMade);
    onChange();
  };
  const says = (
    <div class="dialog-fields">
      <p>{words.makeSays}</p>
      <Field label={words.name} value={name} onValue={setName} required />
    </div>
  );
  return <Confirm action={{ title: words.make, says, label: words.make, run }} onClose={onClose} />;
}
