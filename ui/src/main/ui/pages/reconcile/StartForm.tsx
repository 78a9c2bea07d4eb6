import { useState } from "preact/hooks";
import { call } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Check, Field } from "../../components/Field.tsx";
import { TimeField } from "../../components/TimeField.tsx";
import { go, link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

const NAMES = ["flow", "step", "from", "to"];

/** Starts a reconciliation. */
export function StartForm({ query }: { query: URLSearchParams }) {
  const words = text.reconcile;
  const flows = useCall("GET /api/flows", may("flows:read") ? { query: { limit: "200" } } : null);
  const [values, setValues] = useState<Record<string, string>>(() => Object.fromEntries([...NAMES, "rate"].map((name) => [name, query.get(name) ?? ""])));
  const [adopt, setAdopt] = useState(false);
  const [repair, setRepair] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = (name: string) => ({ value: values[name]!, onValue: (value: string) => setValues((all) => ({ ...all, [name]: value })) });
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const given = Object.fromEntries(NAMES.flatMap((name) => (values[name]!.trim() ? [[name, values[name]!.trim()]] : [])));
      const body = { ...given, adopt, repair, ...(values.rate!.trim() ? { rate: Number(values.rate) } : {}) };
      const begun = await call("POST /api/reconciliations", { body });
      go(link(pathTo("reconciliations", begun.id)));
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : String(failure));
      setBusy(false);
    }
  };
  return (
    <form class="form" onSubmit={submit}>
      <label class="field">
        <span>{words.flow}</span>
        <input list="reconcile-flows" required value={values.flow} onInput={(event) => field("flow").onValue(event.currentTarget.value)} autoComplete="off" />
        <datalist id="reconcile-flows">
          {(flows.data?.items ?? []).map((one) => (
            <option key={one.flow} value={one.flow} />
          ))}
        </datalist>
        <small>{words.flowHint}</small>
      </label>
      <Field label={words.step} hint={words.stepHint} {...field("step")} />
      <TimeField label={words.from} hint={words.fromHint} {...field("from")} />
      <TimeField label={words.to} {...field("to")} />
      <Field label={words.rate} type="number" {...field("rate")} />
      <div class="wide">
        <Check label={words.adopt} hint={words.adoptHint} value={adopt} onValue={setAdopt} />
      </div>
      <div class="wide">
        <Check label={words.repair} hint={words.repairHint} value={repair} onValue={setRepair} />
      </div>
      {problem && (
        <p class="notice tone-bad wide" role="alert">
          {problem}
        </p>
      )}
      <div class="form-actions">
        <button class="button primary" disabled={isBusy}>
          {words.startDo}
        </button>
        <span class="muted">{words.intro}</span>
      </div>
    </form>
  );
}
