import { useState } from "preact/hooks";
import { call } from "../../api/client.ts";
import { Confirm, type Action } from "../../components/Confirm.tsx";
import { Field } from "../../components/Field.tsx";
import { toast } from "../../components/Toasts.tsx";
import { plural } from "../../core/format.ts";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { itemsOf, mayAct, type Job } from "./job.ts";

type Verb = "apply" | "pause" | "resume" | "cancel";

/** What can be done with a job in its present state. */
export function JobActions({ job, onChange }: { job: Job; onChange: () => void }) {
  const [verb, ask] = useState<Verb | null>(null);
  const [rate, setRate] = useState("");
  if (!mayAct(job)) return null;
  const words = text.jobs;
  const path = { id: job.id };
  const items = plural(itemsOf(job), "item");
  const wanted = rate.trim() ? { rate: Number(rate) } : {};
  const after = () => {
    toast(words.done);
    onChange();
  };
  const rateField = <Field label={words.rate} hint={words.rateHint} type="number" value={rate} onValue={setRate} />;
  const actions: Record<Verb, Action> = {
    apply: {
      title: words.applyTitle(items),
      says: (
        <>
          <p>{words.applySays[job.kind] ?? words.applySays.other}</p>
          <p>{words.applyNote}</p>
          {rateField}
        </>
      ),
      label: words.applyDo(items),
      run: () => call("POST /api/jobs", { body: { apply: job.id, ...wanted } }).then(after),
    },
    pause: { title: words.pauseTitle, says: words.pauseSays, label: words.pause, run: () => call("POST /api/jobs/{id}/pause", { path }).then(after) },
    resume: {
      title: words.resumeTitle,
      says: (
        <>
          <p>{words.resumeSays}</p>
          {rateField}
        </>
      ),
      label: words.resume,
      run: () => call("POST /api/jobs/{id}/resume", { path, body: wanted }).then(after),
    },
    cancel: { title: words.cancelTitle, says: words.cancelSays, label: words.cancelDo, isDangerous: true, run: () => call("POST /api/jobs/{id}/cancel", { path }).then(after) },
  };
  const isReplay = job.kind === "replay";
  const verbs: Verb[] =
    job.state === "planned" ? (isReplay ? ["cancel"] : ["cancel", "apply"]) : job.state === "running" ? ["cancel", "pause"] : job.state === "paused" ? ["cancel", "resume"] : job.state === "planning" ? ["cancel"] : [];
  return (
    <>
      {isReplay && (
        <a class="button" href={link(pathTo("replays", job.id))}>
          {words.look}
        </a>
      )}
      {verbs.map((one) => (
        <button type="button" key={one} class={"button" + (one === "apply" || one === "resume" ? " primary" : "")} onClick={() => ask(one)}>
          {words[one]}
        </button>
      ))}
      {verb && <Confirm action={actions[verb]} onClose={() => ask(null)} />}
    </>
  );
}
