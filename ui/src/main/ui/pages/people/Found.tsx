import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Check } from "../../components/Field.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { Refusal } from "../../components/Refusal.tsx";
import { Status } from "../../components/Status.tsx";
import { Table, type Column } from "../../components/Table.tsx";
import { toast } from "../../components/Toasts.tsx";
import { plural } from "../../core/format.ts";
import { print } from "../../core/json.ts";
import { link, pathTo } from "../../core/router.ts";
import { save } from "../../core/save.ts";
import { text } from "../../text.ts";

type Plan = Answer<"POST /api/subjects/plan">;
type Exported = Answer<"POST /api/subjects/export">["records"];

const words = text.people;

const COLUMNS: Column<Plan["runs"][number]>[] = [
  { name: words.run, show: (one) => <a class="mono" href={link(pathTo("runs", one.run))}>{one.run}</a> },
  { name: words.state, kind: "short", show: (one) => <Status of={one.status} /> },
  { name: words.flow, kind: "short", show: (one) => one.flow },
  { name: words.effects, kind: "number", show: (one) => one.effects },
  { name: words.with, kind: "number", show: (one) => one.with },
  { name: words.waitsFor, kind: "long", show: (one) => one.waitsFor ?? "" },
];

/** What is stored about one person: to be looked at, exported and erased. */
export function Found({ id, scan, plan, onErase }: { id: string; scan: boolean; plan: Plan; onErase: () => void }) {
  const [exported, setExported] = useState<Exported | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [isAsked, ask] = useState(false);
  const get = async () => {
    setProblem(null);
    try {
      setExported((await call("POST /api/subjects/export", { body: { id, scan } })).records);
    } catch (failure) {
      setProblem(failure);
    }
  };
  const nothing = plan.runs.length === 0 && plan.events === 0;
  return (
    <section class="person-found" aria-label={words.found}>
      <header class="page-title">
        <h2>{nothing ? words.nothing : words.says(plural(plan.runs.length, "run"), plural(plan.events, "event"))}</h2>
        <div class="push">
          <button type="button" class="button" onClick={() => void get()}>
            {words.export}
          </button>
          {may("subjects:erase") && !nothing && (
            <button type="button" class="button danger" onClick={() => ask(true)}>
              {words.erase}
            </button>
          )}
        </div>
      </header>
      {plan.postponed > 0 && <p class="notice tone-warn">{words.postponed(plural(plan.postponed, "run"))}</p>}
      {problem !== null && <Refusal of={problem} />}
      {plan.runs.length > 0 && <Table label={words.found} columns={COLUMNS} rows={plan.runs} keyOf={(one) => one.run} />}
      {exported && (
        <>
          <JsonView title={words.exported(plural(exported.length, "record"))} value={exported} isClosed />
          <p>
            <button type="button" class="button small" onClick={() => save("person.json", print(exported))}>
              {words.save}
            </button>
          </p>
        </>
      )}
      {isAsked && <Erase id={id} scan={scan} plan={plan} onErase={onErase} onClose={() => ask(false)} />}
    </section>
  );
}

/** Asks before a person's data is erased: it cannot be undone. */
function Erase({ id, scan, plan, onErase, onClose }: { id: string; scan: boolean; plan: Plan; onErase: () => void; onClose: () => void }) {
  const [externalIds, setExternalIds] = useState(false);
  const run = async (reason: string) => {
    await call("POST /api/subjects/erase", { body: { id, reason, scan, externalIds } });
    toast(words.isErased);
    onErase();
  };
  const says = (
    <div class="dialog-fields">
      <p>{words.eraseSays(plural(plan.ready, "run"), plural(plan.events, "event"))}</p>
      {plan.postponed > 0 && <p>{words.postponed(plural(plan.postponed, "run"))}</p>}
      <Check label={words.externalIds} hint={words.externalIdsHint} value={externalIds} onValue={setExternalIds} />
      <p class="muted">{words.reasonHint}</p>
    </div>
  );
  return <Confirm action={{ title: words.eraseTitle, says, label: words.eraseDo, isDangerous: true, asksReason: true, run }} onClose={onClose} />;
}
