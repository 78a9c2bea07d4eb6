import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { Confirm, type Action } from "../../components/Confirm.tsx";
import { Copy } from "../../components/Copy.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { Empty } from "../../components/Empty.tsx";
import { Field } from "../../components/Field.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { Status } from "../../components/Status.tsx";
import type { Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { toast } from "../../components/Toasts.tsx";
import { text } from "../../text.ts";

type TokenItem = Answer<"GET /api/tokens">["items"][number];
type Created = Answer<"POST /api/tokens">;

const words = text.tokens;

function stateOf(token: TokenItem): string {
  if (token.revokedAt) return "revoked";
  return token.expiresAt && new Date(token.expiresAt).getTime() < Date.now() ? "expired" : "active";
}

/** Who may do what. The value of a token is shown once, when it is made. */
export function TokensPage() {
  const tokens = usePaged("GET /api/tokens", { query: { limit: "200" } }, (page) => page.items);
  const [action, ask] = useState<Action | null>(null);
  const [isMaking, make] = useState(false);
  const [created, setCreated] = useState<Created | null>(null);
  const revoke = (one: TokenItem): Action => ({
    title: words.revokeTitle(one.name),
    says: words.revokeSays,
    label: words.revoke,
    isDangerous: true,
    run: async () => {
      await call("DELETE /api/tokens/{id}", { path: { id: one.id } });
      toast(words.isRevoked);
      tokens.reload();
    },
  });
  const columns: Column<TokenItem>[] = [
    { name: words.name, show: (one) => <><strong>{one.name}</strong> <span class="muted mono">{one.id}</span></> },
    { name: words.state, kind: "short", show: (one) => <Status of={stateOf(one)} /> },
    { name: words.scopes, show: (one) => one.scopes.join(", ") },
    { name: words.roles, kind: "minor", show: (one) => one.roles.join(", ") },
    { name: words.flows, kind: "minor", show: (one) => [...(one.flows ?? []), ...(one.labels ?? []).map((label) => "label " + label)].join(", ") || words.all },
    { name: words.used, kind: "minor", show: (one) => (one.usedAt ? <Time at={one.usedAt} isRelative /> : words.never) },
    { name: words.expires, kind: "minor", show: (one) => one.expiresAt && <Time at={one.expiresAt} /> },
    {
      name: text.flow.actions,
      kind: "actions",
      show: (one) =>
        !one.revokedAt && (
          <button type="button" class="button small" onClick={() => ask(revoke(one))}>
            {words.revoke}
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
      of={tokens}
      columns={columns}
      keyOf={(one) => one.id}
      empty={<Empty title={words.empty} />}
    >
      {action && <Confirm action={action} onClose={() => ask(null)} />}
      {isMaking && (
        <Make
          onClose={() => make(false)}
          onMade={(made) => {
            setCreated(made);
            tokens.reload();
          }}
        />
      )}
      {created && (
        <Dialog title={words.madeTitle(created.details.name)} onClose={() => setCreated(null)} isKept>
          <p>{words.madeSays}</p>
          <p class="command">
            <code>{created.token}</code>
            <Copy label={text.copy.value} of={() => created.token} class="small" />
          </p>
          <div class="dialog-actions">
            <button type="button" class="button" onClick={() => setCreated(null)}>
              {text.dialog.close}
            </button>
          </div>
        </Dialog>
      )}
    </ListPage>
  );
}

function Make({ onClose, onMade }: { onClose: () => void; onMade: (made: Created) => void }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState("runs:read");
  const [flows, setFlows] = useState("");
  const [expiresIn, setExpires] = useState("90d");
  const list = (value: string) => value.split(/[\s,]+/).filter(Boolean);
  const run = async () => {
    const limit = list(flows);
    const body = { name, scopes: list(scopes), ...(limit.length ? { flows: limit } : {}), ...(expiresIn ? { expiresIn } : {}) };
    onMade(await call("POST /api/tokens", { body }));
  };
  const says = (
    <div class="dialog-fields">
      <p>{words.makeSays}</p>
      <Field label={words.name} value={name} onValue={setName} required />
      <Field label={words.scopes} hint={words.scopesHint} value={scopes} onValue={setScopes} required />
      <Field label={words.flows} hint={words.flowsHint} value={flows} onValue={setFlows} />
      <Field label={words.expiresIn} hint={words.expiresHint} value={expiresIn} onValue={setExpires} />
    </div>
  );
  return <Confirm action={{ title: words.make, says, label: words.make, run }} onClose={onClose} />;
}
