import type { Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { text } from "../../text.ts";

export type Job = Answer<"GET /api/jobs/{id}">;

export function itemsOf(job: Job): number {
  return Number((job.totals as Record<string, unknown>).items ?? 0);
}

export function kindOf(job: Job): string {
  return text.jobs.kinds[job.kind] ?? job.kind;
}

export function isUnderWay(state: string | undefined): boolean {
  return state === "planning" || state === "running";
}

export function parts(job: Job): { tone: string; count: number }[] {
  return [
    { tone: "good", count: job.done },
    { tone: "warn", count: job.skipped },
    { tone: "bad", count: job.failed },
  ];
}

/** Returns whether the caller may act on a job; the server has the last word. */
export function mayAct(job: Job): boolean {
  return job.kind === "settle" ? may("effects:settle") : may("runs:write") || (job.kind === "redeliver" && may("inbox:write"));
}

/** Says in words what a job was asked for. */
export function aboutOf(job: Job): string {
  const spec = job.spec as { selection?: Record<string, unknown>; filter?: Record<string, unknown> } & Record<string, unknown>;
  const filter = spec.selection ?? spec.filter ?? {};
  return Object.entries(filter)
    .filter(([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => name + ": " + (Array.isArray(value) ? listed(value) : typeof value === "object" ? JSON.stringify(value) : String(value)))
    .join(", ");
}

function listed(values: unknown[]): string {
  return String(values[0]) + (values.length > 1 ? text.jobs.andMore(values.length - 1) : "");
}
