import { Progress } from "../../components/Progress.tsx";
import { Status } from "../../components/Status.tsx";
import { Time } from "../../components/Time.tsx";
import { number } from "../../core/format.ts";
import { text } from "../../text.ts";
import { aboutOf, itemsOf, kindOf, parts, type Job } from "./job.ts";

export function JobRow({ job, place }: { job: Job; place: string }) {
  const all = itemsOf(job);
  const done = job.done + job.failed + job.skipped;
  return (
    <a class="job-row" href={place}>
      <span class="job-kind">{kindOf(job)}</span>
      <Status of={job.state} />
      <span class="cut muted job-about">{aboutOf(job)}</span>
      <span class="job-progress">
        <Progress parts={parts(job)} all={all} label={kindOf(job)} />
        <span class="muted small-text">{text.jobs.progress(number(done), number(all))}</span>
      </span>
      <span class="muted small-text cut job-when">
        {text.jobs.by(job.createdBy)} <Time at={job.createdAt} isRelative />
      </span>
    </a>
  );
}
