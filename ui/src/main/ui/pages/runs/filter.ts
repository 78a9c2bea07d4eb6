import { link } from "../../core/router.ts";

/** What the list is limited to: the query of the page, which is that of the API. */
export type Filter = Record<string, string>;

export const NAMES = ["status", "flow", "keyPrefix", "key", "error", "retryable", "since", "until", "label", "parent", "duplicates", "draft"];
/** What a job can select by; it knows neither parents nor drafts. */
const OF_JOBS = new Set(["status", "flow", "keyPrefix", "key", "error", "retryable", "since", "until", "label"]);

export function filterOf(query: URLSearchParams): Filter {
  const entries = [...query].filter(([name, value]) => (NAMES.includes(name) || name.startsWith("search.")) && value);
  return Object.fromEntries(entries);
}

export function isFiltered(filter: Filter): boolean {
  return Object.keys(filter).length > 0;
}

/** Runs that have failed, in part or in whole: a job that retries takes both, without a status. */
const FAILED = new Set(["partial,failed", "failed,partial"]);

/** The same filter, as a job of a kind selects runs; null if it cannot. */
export function selectionOf(given: Filter, kind: "retry" | "cancel"): Record<string, unknown> | null {
  const { status, ...others } = given;
  const isAnyFailed = kind === "retry" && FAILED.has(status ?? "");
  const filter = isAnyFailed ? others : given;
  const found: Record<string, unknown> = {};
  const search: Record<string, string> = {};
  for (const [name, value] of Object.entries(filter)) {
    if (name.startsWith("search.")) search[name.slice("search.".length)] = value;
    else if (!OF_JOBS.has(name) || (name === "status" && value.includes(","))) return null;
    else found[name] = name === "retryable" ? value === "true" : value;
  }
  if (Object.keys(search).length > 0) found.search = search;
  return Object.keys(found).length > 0 ? found : isAnyFailed ? { all: true } : null;
}

/** A list that a person comes back to: a name and a query. */
export interface View {
  name: string;
  query: string;
}

/** The query of a filter with its names in order, so that two of them can be compared. */
export function queryOf(filter: Filter): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(filter).sort()) query.set(name, filter[name]!);
  return query.toString();
}

export function placeOf(view: View): string {
  return link("/runs", Object.fromEntries(new URLSearchParams(view.query)));
}

/** Whether a run that has changed may belong to the list, as far as its event tells. */
export function mayMatch(filter: Filter, event: { flow: string; key: string; status: string }): boolean {
  const { status, flow, key, keyPrefix } = filter;
  const isOfFlow = !flow || (flow.endsWith("*") ? event.flow.startsWith(flow.slice(0, -1)) : event.flow === flow);
  const isOfStatus = !status || status.split(",").includes(event.status) || (status === "retrying" && event.status === "waiting");
  return isOfFlow && isOfStatus && (!key || event.key === key) && (!keyPrefix || event.key.startsWith(keyPrefix));
}

/** What was found by a text: it has no more than these of what a list is limited by. */
interface Hit {
  flow?: string | null;
  status?: string | null;
}

/** Names of a filter that say nothing about what a text finds. */
export function notApplied(filter: Filter): string[] {
  return Object.keys(filter).filter((name) => !["flow", "status", "draft"].includes(name) || filter[name] === "retrying");
}

/** Whether what was found belongs to the list, as far as it tells. */
export function admits(filter: Filter, hit: Hit): boolean {
  const { status, flow } = filter;
  const isOfFlow = !flow || (flow.endsWith("*") ? (hit.flow ?? "").startsWith(flow.slice(0, -1)) : hit.flow === flow);
  return isOfFlow && (!status || status === "retrying" || status.split(",").includes(hit.status ?? ""));
}
