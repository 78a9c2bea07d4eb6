import { JsonView } from "../../components/JsonView.tsx";
import { Status } from "../../components/Status.tsx";
import { Time } from "../../components/Time.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import type { Job } from "./job.ts";

type Result = NonNullable<Job["results"]>[number];

/** Where the item of a job is shown. */
function placeOf(of: Result, kind: string): string | null {
  if (kind === "settle") return link(pathTo("reviews", of.subject));
  if (kind === "redeliver") return link(pathTo("inbox", of.subject));
  if (kind !== "reconcile") return link(pathTo("runs", of.subject));
  const { reconciliation } = (of.detail ?? {}) as { reconciliation?: unknown };
  return typeof reconciliation === "string" ? link(pathTo("reconciliations", reconciliation)) : null;
}

export function JobResult({ of, kind }: { of: Result; kind: string }) {
  const place = placeOf(of, kind);
  return (
    <li class="job-result">
      <Status of={of.state} />
      <span class="cut">
        {place ? <a href={place}>{of.key ?? of.subject}</a> : (of.key ?? of.subject)} <span class="muted">{of.flow}</span>
      </span>
      <span class="job-problem">{of.problem}</span>
      <span class="muted small-text">{of.at && <Time at={of.at} />}</span>
      {of.detail != null && (
        <div class="job-detail">
          <JsonView title={text.jobs.detail} value={of.detail} isClosed />
        </div>
      )}
    </li>
  );
}
