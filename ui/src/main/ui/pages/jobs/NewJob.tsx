import { useState } from "preact/hooks";
import { call } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Check, Field } from "../../components/Field.tsx";
import { TimeField } from "../../components/TimeField.tsx";
import { Options } from "../../components/Options.tsx";
import { go, link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

/** Jobs that begin where their items are listed. */
const OTHERS = [
  ["settle", "/reviews", "effects:settle"],
  ["replay", "/replays", "runs:write"],
  ["redeliver", "/inbox", "inbox:write"],
  ["reconcile", "/reconciliations", "runs:write"],
] as const;
const NAMES = ["flow", "error", "keyPrefix", "since"] as const;

/** Plans a job; it acts only after a person has seen the plan. */
export function NewJob({ query, onClose }: { query: URLSearchParams; onClose: () => void }) {
  const words = text.jobs;
  const [kind, setKind] = useState(query.get("new") === "cancel" ? "cancel" : "retry");
  const [filter, setFilter] = useState<Record<string, string>>(() => Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ""])));
  const [compensate, setCompensate] = useState(false);
  const set = (name: string) => (value: string) => setFilter({ ...filter, [name]: value });
  const run = async () => {
    const wanted = Object.fromEntries(Object.entries(filter).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : [])));
    const body = { kind, filter: wanted, plan: true, ...(kind === "cancel" && compensate ? { compensate } : {}) };
    const job = await call("POST /api/jobs", { body });
    go(link(pathTo("jobs", job.id)));
  };
  return (
    <Confirm
      onClose={onClose}
      action={{
        title: words.make,
        says: (
          <>
            <Options
              label={words.kind}
              value={kind}
              onValue={setKind}
              of={[
                { value: "retry", name: words.kinds.retry!, says: words.retryHint },
                { value: "cancel", name: words.kinds.cancel!, says: words.cancelHint },
              ]}
            />
            {kind === "cancel" && <Check label={words.compensate} value={compensate} onValue={setCompensate} />}
            <Field label={words.flow} value={filter.flow!} onValue={set("flow")} />
            {kind === "retry" && <Field label={words.error} value={filter.error!} onValue={set("error")} placeholder={text.samples.error} />}
            <Field label={words.keyPrefix} value={filter.keyPrefix!} onValue={set("keyPrefix")} />
            <TimeField label={words.since} value={filter.since!} onValue={set("since")} />
            <p class="muted small-text">{words.makeSays}</p>
            <p class="muted small-text">
              {words.others}{" "}
              {OTHERS.filter(([, , scope]) => may(scope)).map(([name, place], i) => (
                <>
                  {i > 0 && ", "}
                  <a href={link(place)}>{words.kinds[name]}</a>
                </>
              ))}
            </p>
          </>
        ),
        label: words.makeDo,
        run,
      }}
    />
  );
}
