import { useState } from "preact/hooks";
import { call } from "../../api/client.ts";
import { useCall } from "../../api/use.ts";
import { Diff } from "../../components/Diff.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { Payload } from "../../components/Payload.tsx";
import { Show } from "../../components/Show.tsx";
import { print } from "../../core/json.ts";
import { setQuery, usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";
import type { RunData } from "./RunHead.tsx";
import { nameOf } from "./TimelineView.tsx";
import { useTimeline, type Read } from "./useTimeline.ts";

const MOST_STEPS = 1000;

/** What came in, what came out, and how both differ from another run. */
export function Values({ run, read }: { run: RunData; read: Read }) {
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
        <Payload title={words.input} value={run.input} left={run.inputBytes} load={async () => (await whole(run.id)).input} />
        <Payload key={run.outputBytes} title={words.output} value={run.output} left={run.outputBytes} load={async () => (await whole(run.id)).output} />
      </div>
      {run.search !== undefined && run.search !== null && <JsonView title={words.search} value={run.search} />}
      <form class="run-compare" onSubmit={submit}>
        <label class="field">
          <span>{words.compareRun}</span>
          <input type="search" value={typed} placeholder={words.compareHint} spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <button class="button">{words.compareDo}</button>
      </form>
      {other && <Other id={other} run={run} read={read} />}
    </div>
  );
}

/** The run with its values, however large. */
function whole(id: string): Promise<RunData> {
  return call("GET /api/runs/{id}", { path: { id } });
}

function Other({ id, run: preview, read }: { id: string; run: RunData; read: Read }) {
  const other = useCall("GET /api/runs/{id}", { path: { id } });
  const isLeft = preview.inputBytes != null || preview.outputBytes != null;
  const own = useCall("GET /api/runs/{id}", isLeft ? { path: { id: preview.id } } : null);
  const run = isLeft ? own.data : preview;
  const steps = useTimeline(id);
  return (
    <Show of={other}>
      {(data) =>
        !run ? <p class="loading">{text.state.loading}</p> : (
        <div class="run-pair">
          <section>
            <h2>{text.run.input}</h2>
            <Diff before={print(data.input)} after={print(run.input)} />
          </section>
          <section>
            <h2>{text.run.output}</h2>
            <Diff before={print(data.output)} after={print(run.output)} />
          </section>
          <section class="run-steps">
            <h2>{text.run.stepsTitle}</h2>
            {steps.isWhole && read.isWhole ? <Diff before={stepsOf(steps)} after={stepsOf(read)} /> : <p class="loading">{text.state.loading}</p>}
          </section>
        </div>
        )
      }
    </Show>
  );
}

/** A line for each step, as it ended: what differs is a line that goes and a line that comes. */
function stepsOf(read: Read): string {
  return read.timeline.rows
    .slice(0, MOST_STEPS)
    .map((row) => {
      const { name, about } = nameOf(row);
      const output = row.entries.findLast((entry) => entry.output != null)?.output;
      const state = row.event ? "" : ": " + (text.run.states[row.state] ?? text.status[row.state] ?? row.state);
      return [name, about].filter(Boolean).join(" · ") + state + (row.attempts > 1 ? ` ${row.attempts}×` : "") + (output === undefined ? "" : " " + print(output, 0).slice(0, 200));
    })
    .join("\n");
}
