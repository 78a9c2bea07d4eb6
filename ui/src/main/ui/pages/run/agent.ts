import { duration } from "../../core/format.ts";
import { print } from "../../core/json.ts";
import type { EffectData, RunData } from "./RunHead.tsx";
import type { Row, Timeline } from "./timeline.ts";
import type { Wait } from "./Waits.tsx";

const MOST_ROWS = 60;
const MOST_VALUE = 600;

/** The run as compact text, for a model or a chat: what happened, what waits, and what is safe to do next. */
export function forAgent(run: RunData, waits: Wait[], effects: EffectData[], timeline: Timeline): string {
  const lines = [`${run.id} of flow '${run.flow}' release ${run.release}, key '${run.key}': ${run.status}`, `created ${run.createdAt}${run.endedAt ? ", ended " + run.endedAt : ""}`];
  if (run.error) lines.push(`error ${run.error.code}${run.error.step ? " in step '" + run.error.step + "'" : ""}: ${run.error.message}${run.error.advice ? " " + run.error.advice : ""}`);
  if (run.blocked) lines.push("blocked: " + run.blocked.message);
  if (run.duplicates > 0) lines.push(`repeats stopped: ${run.duplicates}`);
  for (const wait of waits) lines.push(`waits${wait.step ? " in step '" + wait.step + "'" : ""}: ${wait.message}${wait.until ? ", until " + wait.until : ""}${wait.asksPerson ? " (needs a person)" : ""}`);
  if (effects.length > 0) {
    lines.push("", "effects:");
    for (const one of effects) {
      lines.push(`- ${one.name} key '${one.key}': ${one.state}, ${one.attempts} attempts, guard ${one.guard}, wire key ${one.wireKey}${one.externalId ? ", external id " + one.externalId : ""}${one.evidence ? ", evidence: " + one.evidence : ""}`);
    }
  }
  lines.push("", "steps:");
  const begin = timeline.rows[0]?.segments[0]?.from ?? 0;
  const rows = timeline.rows.length > MOST_ROWS ? timeline.rows.filter((row) => row.state !== "done").slice(0, MOST_ROWS) : timeline.rows;
  for (const row of rows) lines.push(lineOf(row, begin));
  if (rows.length < timeline.rows.length) lines.push(`- and ${timeline.rows.length - rows.length} more`);
  lines.push("", "input: " + cut(print(run.input, 0)));
  if (run.endedAt && run.output !== null) lines.push("output: " + cut(print(run.output, 0)));
  lines.push("", "safe next: hapax explain " + run.id);
  return lines.join("\n");
}

function lineOf(row: Row, begin: number): string {
  const at = row.segments[0] ? "+" + duration(row.segments[0].from - begin) : "";
  const name = row.event ?? row.step + (row.item ? `[${row.item}]` : "") + (row.round && row.round > 1 ? " round " + row.round : "");
  const last = row.entries.at(-1);
  const why = [last?.error?.message, last?.evidence, last?.decision].find(Boolean);
  return `- ${at} ${name}: ${row.state}${row.attempts > 1 ? ", " + row.attempts + " attempts" : ""}${row.key ? ", key '" + row.key + "'" : ""}${why ? ": " + why : ""}`;
}

function cut(text: string): string {
  return text.length > MOST_VALUE ? text.slice(0, MOST_VALUE) + `… (${text.length} characters)` : text;
}
