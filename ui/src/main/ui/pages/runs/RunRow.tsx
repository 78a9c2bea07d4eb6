import { useCall } from "../../api/use.ts";
import { Status } from "../../components/Status.tsx";
import { Time } from "../../components/Time.tsx";
import { isPausing, TryNow } from "../../components/TryNow.tsx";
import { bytes, number, plainly } from "../../core/format.ts";
import { glimpse } from "../../core/json.ts";
import { link, pathTo } from "../../core/router.ts";
import { between } from "../../core/time.ts";
import { text } from "../../text.ts";
import type { Wait } from "../run/Waits.tsx";
import type { RunItem } from "./runList.ts";

interface Shown {
  run: RunItem;
  /** Whether the list is limited to runs that are retrying: then each says what failed, and when it tries again. */
  isRetrying: boolean;
  isMarked: boolean;
  onMark: (() => void) | null;
}

export function RunRow({ run, isRetrying, isMarked, onMark }: Shown) {
  const about = run.error ?? run.blocked;
  const retries = isRetrying && !run.endedAt;
  // only rows that are seen ask for this
  const asks = retries || (!about && (run.status === "waiting" || run.status === "review"));
  const waits = useCall("GET /api/runs/{id}/waits", asks ? { path: { id: run.id } } : null, (event) => event.run === run.id);
  const all = waits.data?.items ?? [];
  return (
    <div class="run-line">
      {onMark && <input type="checkbox" class="run-mark" aria-label={text.runs.mark(run.key)} checked={isMarked} onChange={onMark} />}
      <a class="run-row" href={link(pathTo("runs", run.id))}>
        <Status of={retries ? "retrying" : run.status} />
        <span class="run-flow">{run.flow}</span>
        <bdi class="run-key">{run.key}</bdi>
        <span class={"run-about" + (run.error ? " bad" : "")}>
          {retries ? <Retry of={all} /> : about ? (about.step ? about.step + ": " : "") + about.message : all[0] ? <WaitSays of={all[0]} /> : run.dueAt && !run.endedAt && run.status !== "review" ? <Time at={run.dueAt} isRelative /> : <bdi class="run-input">{run.inputBytes ? text.runs.inputOf(bytes(run.inputBytes)) : glimpse(run.input, run.key)}</bdi>}
        </span>
        <span class="run-number run-stopped">{run.duplicates > 0 ? number(run.duplicates) : ""}
          {run.duplicates > 0 && <span class="run-stopped-word"> {text.runs.stoppedWord}</span>}</span>
        <span class="muted run-created">
          <Time at={run.createdAt} />
        </span>
        <span class="run-number run-took">{run.endedAt ? between(run.createdAt, run.endedAt) : ""}</span>
      </a>
      {retries && isPausing(all) && <TryNow run={run.id} onChange={waits.reload} isSmall />}
    </div>
  );
}

/** Begins what a person is asked: that a person is asked, its colour says. */
const ASKS = /^waits for a person(?:'s approval)?(?: \([^)]*\))?: '?|'$/g;

/** What a run waits for, as its page says it. */
function WaitSays({ of }: { of: Wait }) {
  return (
    <span class={of.asksPerson ? "run-asks" : undefined}>
      {of.step}: {plainly(of.message).replace(ASKS, "")}
      {of.until && !of.asksPerson && (
        <>
          {" · "}
          <Time at={of.until} isRelative />
        </>
      )}
    </span>
  );
}

function Retry({ of }: { of: readonly Wait[] }) {
  const wait = of.find((one) => one.cause === "retry");
  if (!wait) return null;
  return (
    <span class="run-retry">
      {wait.until && (
        <>
          {text.run.nextTry} <Time at={wait.until} isRelative />
          {" · "}
        </>
      )}
      {wait.step}: {wait.message}
    </span>
  );
}
