import { useState } from "preact/hooks";
import { useCall } from "../../api/use.ts";
import { Diff } from "../../components/Diff.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { Show } from "../../components/Show.tsx";
import { print } from "../../core/json.ts";
import { setQuery, usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";
import type { RunData } from "./RunHead.tsx";

/** What came in, what came out, and how both differ from another run. */
export function Values({ run }: { run: RunData }) {
  const words = text.run;
  const other = usePlace().query.get("with") ?? "";
  const [typed, setTyped] = useState(other);
  const submit = (event: Event) => {
    event.preventDefault();
    setQuery({ with: typed.trim() });
  };
  return (
    <div class="run-values">
      <div class="run-pair">
        <JsonView title={words.input} value={run.input} />
        <JsonView title={words.output} value={run.output} />
      </div>
      {run.search !== undefined && run.search !== null && <JsonView title={words.search} value={run.search} />}
      <form class="run-compare" onSubmit={submit}>
        <label class="field">
          <span>{words.compareRun}</span>
          <input type="search" value={typed} placeholder={words.compareHint} spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <button class="button">{words.compareDo}</button>
      </form>
      {other && <Other id={other} run={run} />}
    </div>
  );
}

function Other({ id, run }: { id: string; run: RunData }) {
  const other = useCall("GET /api/runs/{id}", { path: { id } });
  return (
    <Show of={other}>
      {(data) => (
        <div class="run-pair">
          <section>
            <h2>{text.run.input}</h2>
            <Diff before={print(data.input)} after={print(run.input)} />
          </section>
          <section>
            <h2>{text.run.output}</h2>
            <Diff before={print(data.output)} after={print(run.output)} />
          </section>
        </div>
      )}
    </Show>
  );
}
