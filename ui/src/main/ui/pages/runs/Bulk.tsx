import { useState } from "preact/hooks";
import { call } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Check } from "../../components/Field.tsx";
import { plural } from "../../core/format.ts";
import { go, link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { selectionOf, type Filter } from "./filter.ts";

/** What can be done with the runs that are marked, or with all that match: a job, which shows its plan first. */
export function Bulk({ marked, filter, onClear }: { marked: ReadonlySet<string>; filter: Filter; onClear: () => void }) {
  const words = text.runs;
  const [kind, ask] = useState<"retry" | "cancel" | null>(null);
  const [isUndone, setUndone] = useState(false);
  const selected = (of: "retry" | "cancel") => (marked.size > 0 ? { ids: [...marked] } : selectionOf(filter, of));
  const [canRetry, canCancel] = [selected("retry") !== null, selected("cancel") !== null];
  if (!may("runs:write") || (!canRetry && !canCancel)) return null;
  const what = marked.size > 0 ? plural(marked.size, "run") : words.matching;
  const run = async () => {
    const body = { kind: kind!, filter: selected(kind!), plan: true, ...(kind === "cancel" && isUndone ? { compensate: true } : {}) };
    const job = await call("POST /api/jobs", { body });
    go(link(pathTo("jobs", job.id)));
  };
  return (
    <div class="bulk" role="group" aria-label={words.bulk}>
      <span>{marked.size > 0 ? words.marked(plural(marked.size, "run")) : words.matchingAll}</span>
      {canRetry && (
        <button type="button" class="button small" onClick={() => ask("retry")}>
          {words.retryMany}
        </button>
      )}
      {canCancel && (
        <button type="button" class="button small" onClick={() => ask("cancel")}>
          {words.cancelMany}
        </button>
      )}
      {marked.size > 0 && (
        <>
          <a class="button small" href={link("/replays", { runs: [...marked].join("\n") })}>
            {words.replayMany}
          </a>
          <button type="button" class="link" onClick={onClear}>
            {words.unmark}
          </button>
        </>
      )}
      {kind && (
        <Confirm
          onClose={() => ask(null)}
          action={{
            title: kind === "retry" ? words.retryTitle(what) : words.cancelTitle(what),
            says: (
              <>
                <p>{kind === "retry" ? text.jobs.retryHint : text.jobs.cancelHint}</p>
                {kind === "cancel" && <Check label={text.jobs.compensate} value={isUndone} onValue={setUndone} />}
                <p class="muted">{text.jobs.makeSays}</p>
              </>
            ),
            label: text.jobs.makeDo,
            run,
          }}
        />
      )}
    </div>
  );
}
