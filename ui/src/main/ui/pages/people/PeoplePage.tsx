import "./people.css";
import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Empty } from "../../components/Empty.tsx";
import { Check, Field } from "../../components/Field.tsx";
import { Refusal } from "../../components/Refusal.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Table, type Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { number } from "../../core/format.ts";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { Found } from "./Found.tsx";

type Erasure = Answer<"GET /api/subjects/erasures">["items"][number];

const words = text.people;

const COLUMNS: Column<Erasure>[] = [
  { name: words.erasure, show: (one) => <a class="mono" href={link(pathTo("runs", one.run))}>{one.id}</a> },
  { name: words.state, kind: "short", show: (one) => <Status of={one.endedAt ? "done" : "doing"} /> },
  { name: words.reason, kind: "long", show: (one) => one.reason },
  { name: words.asked, kind: "short", show: (one) => <><Time at={one.at} /> <span class="muted">{one.actor}</span></> },
  { name: words.ended, kind: "minor", show: (one) => one.endedAt && <Time at={one.endedAt} /> },
  { name: words.runs, kind: "number", show: (one) => (one.endedAt ? number(one.runs) : "") },
];

/** What is stored about a person. Their id is only in this page's memory: addresses are written into logs. */
export function PeoplePage() {
  const erasures = useCall("GET /api/subjects/erasures", {}, (event) => event.flow.startsWith("hapax/"));
  const [typed, setTyped] = useState("");
  const [scan, setScan] = useState(false);
  const [plan, setPlan] = useState<{ id: string; scan: boolean; answer: Answer<"POST /api/subjects/plan"> } | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const look = async (id: string, all: boolean) => {
    setBusy(true);
    setProblem(null);
    try {
      setPlan({ id, scan: all, answer: await call("POST /api/subjects/plan", { body: { id, scan: all } }) });
    } catch (failure) {
      setPlan(null);
      setProblem(failure);
    }
    setBusy(false);
  };
  return (
    <div class="page">
      <header class="page-title">
        <h1>{words.title}</h1>
      </header>
      <p class="lead">{words.lead}</p>
      <form
        class="panel person-form"
        onSubmit={(event) => {
          event.preventDefault();
          void look(typed, scan);
        }}
      >
        <Field label={words.id} hint={words.idHint} value={typed} onValue={setTyped} required />
        <Check label={words.scan} hint={words.scanHint} value={scan} onValue={setScan} />
        <div class="form-actions">
          <button class="button primary" disabled={isBusy || !may("subjects:read")}>
            {words.look}
          </button>
          <span class="muted">{words.lookSays}</span>
        </div>
      </form>
      {problem !== null && <Refusal of={problem} />}
      {plan && (
        <Found
          key={plan.id + plan.scan}
          id={plan.id}
          scan={plan.scan}
          plan={plan.answer}
          onErase={() => {
            void look(plan.id, plan.scan);
            erasures.reload();
          }}
        />
      )}
      <section>
        <h2>{words.erasures}</h2>
        <Show of={erasures}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />
            ) : (
              <Table label={words.erasures} columns={COLUMNS} rows={data.items} keyOf={(one) => one.id} />
            )
          }
        </Show>
      </section>
    </div>
  );
}
