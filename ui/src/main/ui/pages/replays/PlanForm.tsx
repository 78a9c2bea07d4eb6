import { useState } from "preact/hooks";
import { ApiProblem, call } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { Field } from "../../components/Field.tsx";
import { Options } from "../../components/Options.tsx";
import { TimeField } from "../../components/TimeField.tsx";
import { parse } from "../../core/json.ts";
import { go, link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

const FILTER = ["flow", "status", "error", "keyPrefix", "since", "until"];
const ENDS = ["failed", "partial", "succeeded", "canceled"];

/** Asks for a plan, of named runs or of all that match. It sends nothing. */
export function PlanForm({ query }: { query: URLSearchParams }) {
  const words = text.replays;
  const [by, setBy] = useState(FILTER.some((name) => query.has(name)) ? "filter" : "runs");
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries([...FILTER, "runs", "from", "item", "release", "input", "outputs", "ask", "force", "why"].map((name) => [name, query.get(name) ?? ""])),
  );
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = (name: string) => ({ value: values[name]!, onValue: (value: string) => setValues((all) => ({ ...all, [name]: value })) });
  const runs = values.runs!.split(/[\s,]+/).filter(Boolean);

  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const answer = await call("POST /api/replays", { text: wish(values, by === "runs" ? runs : null) });
      go(link(pathTo("replays", "plan" in answer ? answer.plan : answer.id)));
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : String(failure));
      setBusy(false);
    }
  };
  return (
    <form class="form" onSubmit={submit}>
      <div class="wide">
        <Options
          label={words.which}
          value={by}
          onValue={setBy}
          of={[
            { value: "runs", name: words.byId, says: words.byIdSays },
            { value: "filter", name: words.byFilter, says: words.byFilterSays },
          ]}
        />
      </div>
      {by === "runs" ? (
        <div class="wide">
          <Field label={words.runs} lines={3} mono required {...field("runs")} />
        </div>
      ) : (
        <>
          <Field label={text.jobs.flow} {...field("flow")} />
          <label class="field">
            <span>{words.status}</span>
            <select value={values.status} onChange={(event) => field("status").onValue(event.currentTarget.value)}>
              <option value="">{words.anyStatus}</option>
              {ENDS.map((one) => (
                <option key={one} value={one}>
                  {text.status[one]}
                </option>
              ))}
            </select>
          </label>
          <Field label={text.jobs.error} {...field("error")} />
          <Field label={text.jobs.keyPrefix} {...field("keyPrefix")} />
          <TimeField label={text.jobs.since} {...field("since")} />
          <TimeField label={words.until} {...field("until")} />
        </>
      )}
      <Field label={words.from} hint={words.fromHint} {...field("from")} />
      <Field label={words.item} {...field("item")} />
      <Field label={words.release} hint={words.releaseHint} {...field("release")} />
      {by === "runs" && runs.length === 1 && (
        <div class="wide">
          <Field label={words.input} hint={words.inputHint} lines={3} mono {...field("input")} />
        </div>
      )}
      <details class="wide">
        <summary>{words.further}</summary>
        <div class="form">
          {may("effects:settle") && (
            <div class="wide">
              <Field label={words.outputs} hint={words.outputsHint} lines={3} mono {...field("outputs")} />
            </div>
          )}
          <Field label={words.ask} hint={words.askHint} {...field("ask")} />
          <Field label={words.force} hint={words.forceHint} mono {...field("force")} />
          {values.force!.trim() && <Field label={words.why} required {...field("why")} />}
        </div>
      </details>
      {problem && (
        <p class="notice tone-bad wide" role="alert">
          {problem}
        </p>
      )}
      <div class="form-actions">
        <button class="button primary" disabled={isBusy}>
          {isBusy ? text.state.loading : words.makeDo}
        </button>
        <span class="muted">{words.makeNote}</span>
      </div>
    </form>
  );
}

/** Returns JSON as the person wrote it, or says what is wrong with it. */
function checked(name: string, written: string): string {
  try {
    parse(written);
    return written;
  } catch (failure) {
    throw new ApiProblem(0, "invalid-input", text.desk.jsonWrong(name, (failure as Error).message));
  }
}

/** Writes the wish as JSON; a corrected input stays as the person wrote it. */
function wish(values: Record<string, string>, runs: string[] | null): string {
  const given = (name: string) => values[name]!.trim();
  const members: Record<string, string> = { plan: "true" };
  if (runs) members.runs = JSON.stringify(runs);
  else members.filter = JSON.stringify(Object.fromEntries(FILTER.flatMap((name) => (given(name) ? [[name, given(name)]] : []))));
  if (given("from")) members.fromStep = JSON.stringify(given("item") ? { step: given("from"), item: given("item") } : given("from"));
  if (given("release")) members.release = /^\d+$/.test(given("release")) ? given("release") : JSON.stringify(given("release"));
  if (runs?.length === 1 && given("input")) {
    members.input = checked(text.replays.input, given("input"));
  }
  const words = (name: string) => given(name).split(/[\s,]+/).filter(Boolean);
  if (given("outputs")) members.outputs = checked(text.replays.outputs, given("outputs"));
  if (given("ask")) members.ask = JSON.stringify(words("ask"));
  if (given("force")) members.force = JSON.stringify(words("force").map((effect) => ({ effect, reason: given("why") })));
  return "{" + Object.entries(members).map(([name, json]) => JSON.stringify(name) + ":" + json).join(",") + "}";
}
