import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Copy } from "../../components/Copy.tsx";
import { Facts } from "../../components/Facts.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { Refusal } from "../../components/Refusal.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Title } from "../../components/Title.tsx";
import { Table, type Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { toast } from "../../components/Toasts.tsx";
import { go, link } from "../../core/router.ts";
import { text } from "../../text.ts";
import { kindOf } from "./ConnectionsPage.tsx";

const words = text.connections;

type Trial = Answer<"POST /api/connections/{name}/test">;

const STAGES: Column<Trial["stages"][number]>[] = [
  { name: words.stage, kind: "short", show: (one) => one.stage },
  { name: words.outcome, kind: "short", show: (one) => <Status of={one.outcome} /> },
  { name: words.detail, show: (one) => <>{one.detail} {one.fix && <span class="muted">{one.fix}</span>}</> },
];

/** A connection as it is set. Secrets are named, never shown. */
export function ConnectionPage({ name }: { name: string }) {
  const connection = useCall("GET /api/connections/{name}", { path: { name } });
  const [trial, setTrial] = useState<Trial | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isAsked, ask] = useState(false);
  const test = async () => {
    setBusy(true);
    setProblem(null);
    try {
      setTrial(await call("POST /api/connections/{name}/test", { path: { name } }));
    } catch (failure) {
      setProblem(failure);
    }
    setBusy(false);
  };
  const remove = async () => {
    await call("DELETE /api/connections/{name}", { path: { name } });
    toast(words.removed);
    go(link("/connections"));
  };
  return (
    <Show of={connection}>
      {(data) => {
        const [kind, form] = kindOf(data);
        return (
          <article class="page">
            <header class="page-title">
              <h1>{data.name}</h1>
              <Title of={data.name} />
              <span class="badge tone-quiet">{kind}</span>
              <div class="push">
                {may("connections:use") && (
                  <button type="button" class="button primary" disabled={isBusy} onClick={test}>
                    {isBusy ? words.testing : words.test}
                  </button>
                )}
                {may("connections:write") && (
                  <button type="button" class="button" onClick={() => ask(true)}>
                    {words.remove}
                  </button>
                )}
                <Copy label={text.copy.cli} of={() => text.commands.connection(name)} />
              </div>
            </header>
            <Facts of={[[words.changed, <Time at={data.changedAt} />], [words.by, data.changedBy]]} />
            {problem !== null && <Refusal of={problem} />}
            {trial && (
              <section role="status">
                <h2>{trial.ok ? words.ok : words.notOk}</h2>
                <Table label={words.test} columns={STAGES} rows={trial.stages} keyOf={(one) => one.stage} />
              </section>
            )}
            <section>
              <h2>{words.settings}</h2>
              <p class="muted">{words.secretsSay}</p>
              <JsonView title={kind} value={withoutEmpty(form)} />
            </section>
            {isAsked && (
              <Confirm
                action={{ title: words.removeTitle(name), says: words.removeSays, label: words.remove, isDangerous: true, run: remove }}
                onClose={() => ask(false)}
              />
            )}
          </article>
        );
      }}
    </Show>
  );
}

function withoutEmpty(form: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== null));
}
