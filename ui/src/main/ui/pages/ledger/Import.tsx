import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { Refusal } from "../../components/Refusal.tsx";
import { number } from "../../core/format.ts";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

type Result = Answer<"POST /api/ledger/import">;

const words = text.ledger;
const COUNTS = ["added", "same", "exists", "refused"] as const;

/** Brings in effects that another system has done: no run sends them again. */
export function Import({ onClose, onChange }: { onClose: () => void; onChange: () => void }) {
  const [file, choose] = useState<File | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!file) return;
    setBusy(true);
    setProblem(null);
    try {
      const type = file.name.toLowerCase().endsWith(".csv") ? "text/csv" : "application/x-ndjson";
      setResult(await call("POST /api/ledger/import", { text: await file.text(), type }));
      onChange();
    } catch (failure) {
      setProblem(failure);
    }
    setBusy(false);
  };
  return (
    <Dialog title={words.importTitle} onClose={onClose}>
      <form onSubmit={submit}>
        <p>{words.importSays}</p>
        <label class="field">
          <span>{words.file}</span>
          <input
            type="file"
            required
            accept=".ndjson,.jsonl,.json,.csv"
            onChange={(event) => {
              choose(event.currentTarget.files?.[0] ?? null);
              setResult(null);
            }}
          />
          <small>{words.fileHint}</small>
        </label>
        {result && <Outcome of={result} />}
        {problem !== null && <Refusal of={problem} />}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            {result ? text.dialog.close : text.dialog.cancel}
          </button>
          {!result && (
            <button class="button primary" disabled={isBusy}>
              {words.importDo}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function Outcome({ of }: { of: Result }) {
  return (
    <div class="imported" role="status">
      <ul class="imported-counts">
        {COUNTS.map((one) => (
          <li key={one} class={of[one] > 0 && (one === "exists" || one === "refused") ? "tone-warn" : "tone-good"}>
            <strong>{number(of[one])}</strong> {words.imported[one]}
          </li>
        ))}
      </ul>
      {of.problems.length > 0 && (
        <ul class="rows imported-problems">
          {of.problems.map((one) => (
            <li key={one.line}>
              <strong>{words.line(one.line)}</strong> {one.problem}. <span class="muted">{one.todo}</span>{" "}
              {one.effect && <a href={link(pathTo("ledger", one.effect))}>{words.seeEffect}</a>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
