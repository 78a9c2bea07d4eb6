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
  return kind === "redeliver" ? null : link(pathTo("runs", of.subject));
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
