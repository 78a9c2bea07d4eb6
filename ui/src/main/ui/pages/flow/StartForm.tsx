import { useEffect, useMemo, useState } from "preact/hooks";
import { ApiProblem, exchange, type Answer } from "../../api/client.ts";
import { useCall } from "../../api/use.ts";
import { Empty } from "../../components/Empty.tsx";
import { Check, Field } from "../../components/Field.tsx";
import { Refusal } from "../../components/Refusal.tsx";
import { RawJson, SchemaForm } from "../../components/SchemaForm.tsx";
import { Show } from "../../components/Show.tsx";
import { toast } from "../../components/Toasts.tsx";
import { go, link, pathTo, setQuery, usePlace } from "../../core/router.ts";
import { beginning, kindOf, resolved, written, type Schema } from "../../core/schema.ts";
import { text } from "../../text.ts";
import type { FlowData } from "./FlowSummary.tsx";
import { StartOutlook, useOutlook } from "./StartOutlook.tsx";

const words = text.start;

/** Starts a run of the live release, or of the draft. */
export function StartForm({ flow }: { flow: FlowData }) {
  const isDraft = usePlace().query.get("draft") === "1";
  const canStart = isDraft ? flow.draft !== null : flow.live !== null;
  const taken = useCall("GET /api/flows/{flow}/input", canStart ? { path: { flow: flow.flow }, query: isDraft ? { draft: "true" } : {} } : null);
  return (
    <section class="start">
      {flow.draft && (
        <Check label={words.draft} hint={words.draftHint} value={isDraft} onValue={(on) => setQuery({ draft: on ? 1 : null }, true)} />
      )}
      {canStart ? (
        <Show of={taken}>{(input) => <Fields key={String(isDraft)} flow={flow.flow} input={input} isDraft={isDraft} />}</Show>
      ) : (
        <Empty title={words.notLive} hint={words.notLiveHint} command={flow.newest ? text.commands.promote(flow.flow, flow.newest) : text.commands.release(flow.flow)} />
      )}
    </section>
  );
}

function Fields({ flow, input, isDraft }: { flow: string; input: Answer<"GET /api/flows/{flow}/input">; isDraft: boolean }) {
  const schema = (input.schema ?? null) as Schema | null;
  const hasForm = schema !== null && kindOf(resolved(schema, schema)) === "object";
  const [value, setValue] = useState<unknown>(() => (schema ? (beginning(schema, schema) ?? {}) : {}));
  const [isRaw, setRaw] = useState(!hasForm);
  const [draft, setDraft] = useState("");
  // the form cannot show what is no JSON yet, and must not throw it away
  const isUnread = isRaw && value === undefined && draft.trim() !== "";
  // A flow without a key of its own gets one here, so that a start whose answer was lost can be sent again.
  const [key, setKey] = useState(randomKey);
  const [problem, setProblem] = useState<unknown>(null);
  const [first, setFirst] = useState<{ id: string; key: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const body = useMemo(() => (value === undefined ? null : written(value)), [value]);
  const headers = useMemo((): Record<string, string> => {
    return input.computesKey || !key ? {} : { "Idempotency-Key": key };
  }, [key]);
  const outlook = useOutlook(flow, isDraft, body, headers);
  useEffect(() => {
    setProblem(null);
    setFirst(null);
  }, [body, key]);
  const start = async (event: Event) => {
    event.preventDefault();
    if (body === null) return;
    setBusy(true);
    setProblem(null);
    try {
      const query = isDraft ? { draft: "true" } : {};
      const reply = await exchange("POST /api/flows/{flow}/runs", { path: { flow }, query, text: body }, headers);
      if (reply.status === 201) {
        toast(words.started(reply.answer.key));
        go(link(pathTo("runs", reply.answer.id)));
        return;
      }
      setFirst(reply.answer);
    } catch (failure) {
      setProblem(failure);
    }
    setBusy(false);
  };
  const reused = problem instanceof ApiProblem && problem.kind === "key-reused" ? (problem.members.run as { id: string } | undefined) : undefined;
  return (
    <form class="start-form" onSubmit={start} noValidate>
      <div class="start-input">
        {hasForm && (
          <div class="switch" role="group" aria-label={words.inputAs}>
            <button type="button" class="chip" aria-pressed={!isRaw} disabled={isUnread} title={isUnread ? text.form.notJson : undefined} onClick={() => setRaw(false)}>
              {words.form}
            </button>
            <button type="button" class="chip" aria-pressed={isRaw} onClick={() => setRaw(true)}>
              JSON
            </button>
          </div>
        )}
        {isRaw || !schema ? (
          <RawJson schema={{}} root={{}} name={words.input} depth={0} isRequired value={value} onValue={setValue} onDraft={setDraft} />
        ) : (
          <SchemaForm schema={schema} value={value} onValue={setValue} />
        )}
        {!input.computesKey && <Field label={words.key} hint={words.keyHint} value={key} onValue={setKey} mono />}
      </div>
      <aside class="start-aside">
        <StartOutlook of={outlook} isUnread={body === null} />
        {problem !== null && <Refusal of={problem} />}
        {reused && <RunLink id={reused.id} says={words.seeFirst} />}
        {first && (
          <div class="notice tone-calm" role="status">
            <p>{words.duplicateOf(first.key)}</p>
            <RunLink id={first.id} says={words.seeFirst} />
          </div>
        )}
        <button class="button primary wide" disabled={isBusy || body === null}>
          {isDraft ? words.runDraft : words.submit}
        </button>
        <p class="muted small-text">{isDraft ? words.draftSays : words.says}</p>
      </aside>
    </form>
  );
}

/** Also works where the browser does not trust the connection. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16).padStart(2, "0")).join("");
}

export function RunLink({ id, says }: { id: string; says: string }) {
  return (
    <p>
      <a href={link(pathTo("runs", id))}>{says}</a> <span class="mono muted">{id}</span>
    </p>
  );
}
