import { useState } from "preact/hooks";
import { call, problemFrom } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { Confirm, type Action } from "../../components/Confirm.tsx";
import { Check, Field } from "../../components/Field.tsx";
import { isPausing, TryNow } from "../../components/TryNow.tsx";
import { toast } from "../../components/Toasts.tsx";
import { print } from "../../core/json.ts";
import { link } from "../../core/router.ts";
import { text } from "../../text.ts";
import { mayReplay, type RunData } from "./RunHead.tsx";
import type { Timeline } from "./timeline.ts";
import type { Wait } from "./Waits.tsx";

type Kind = "retry" | "correct" | "cancel" | "resume" | "by-hand";

/** What can be done with a run in its present state. Each action says first what it will do. */
export function RunActions({ run, waits, timeline, onChange }: { run: RunData; waits: Wait[]; timeline: Timeline; onChange: () => void }) {
  // as it was shown: what happens meanwhile does not change what is asked
  const [asked, ask] = useState<{ kind: Kind; run: RunData } | null>(null);
  if (!may("runs:write")) return null;
  const words = text.run.actions;
  /** A large input is read only if it is to be corrected. */
  const open = async (kind: Kind) => {
    try {
      const isLeft = kind === "correct" && run.inputBytes != null;
      ask({ kind, run: isLeft ? await call("GET /api/runs/{id}", { path: { id: run.id } }) : run });
    } catch (failure) {
      toast(problemFrom(failure).message, "bad");
    }
  };
  const hasFailed = run.status === "failed" || run.status === "partial";
  const button = (kind: Kind, label: string, extra = "") => (
    <button type="button" class={"button " + extra} onClick={() => void open(kind)}>
      {label}
    </button>
  );
  return (
    <>
      {isPausing(waits) && <TryNow run={run.id} onChange={onChange} />}
      {hasFailed && button("retry", words.retry, "primary")}
      {hasFailed && button("correct", words.correct)}
      {hasFailed && run.error?.step && may("effects:settle") && button("by-hand", words.byHand)}
      {waits.some((wait) => wait.cause === "quarantine") && button("resume", words.resume, "primary")}
      {!run.endedAt && !run.cancel && button("cancel", words.cancel)}
      {mayReplay(run, timeline) && (
        <a class="button" href={link("/replays", { runs: run.id })}>
          {words.replay}
        </a>
      )}
      {asked && <Ask {...asked} onChange={onChange} onClose={() => ask(null)} />}
    </>
  );
}

function Ask({ kind, run, onChange, onClose }: { kind: Kind; run: RunData; onChange: () => void; onClose: () => void }) {
  const words = text.run.actions;
  const path = { id: run.id };
  const step = run.error?.step ?? "";
  const [input, setInput] = useState(() => (kind === "correct" ? print(run.input) : "{}"));
  const [isUndone, setUndone] = useState(false);
  const after = () => {
    toast(words.done);
    onChange();
  };
  const actions: Record<Kind, Action> = {
    retry: {
      title: words.retryTitle,
      says: words.retrySays,
      label: words.retryDo,
      run: () => call("POST /api/runs/{id}/retry", { path, body: {} }).then(after),
    },
    correct: {
      title: words.correctTitle,
      says: (
        <>
          <p>{words.correctSays}</p>
          <Field label={words.correctInput} value={input} onValue={setInput} lines={10} mono required />
        </>
      ),
      label: words.correctDo,
      // sent as it was written, so that no number changes
      run: () => call("POST /api/runs/{id}/retry", { path, text: `{"input": ${input}}` }).then(after),
    },
    "by-hand": {
      title: words.byHandTitle(step),
      says: (
        <>
          <p>{words.byHandSays}</p>
          <Field label={words.byHandOutput} value={input} onValue={setInput} lines={5} mono required />
        </>
      ),
      label: words.byHandDo,
      asksReason: true,
      run: (reason) => {
        const item = run.error?.item ? `, "item": ${JSON.stringify(run.error.item)}` : "";
        const body = `{"output": ${input}, "reason": ${JSON.stringify(reason)}${item}}`;
        return call("POST /api/runs/{id}/steps/{step}/settle", { path: { ...path, step }, text: body }).then(after);
      },
    },
    resume: {
      title: words.resumeTitle,
      says: words.resumeSays,
      label: words.resume,
      asksReason: true,
      run: (reason) => call("POST /api/runs/{id}/resume", { path, body: { reason } }).then(after),
    },
    cancel: {
      title: words.cancelTitle,
      says: (
        <>
          <p>{words.cancelSays}</p>
          <Check label={words.compensate} hint={words.compensateHint} value={isUndone} onValue={setUndone} />
        </>
      ),
      label: words.cancelDo,
      isDangerous: true,
      asksReason: true,
      run: (reason) => call("POST /api/runs/{id}/cancel", { path, body: { reason, ...(isUndone ? { compensate: true } : {}) } }).then(after),
    },
  };
  return <Confirm action={actions[kind]} onClose={onClose} />;
}
