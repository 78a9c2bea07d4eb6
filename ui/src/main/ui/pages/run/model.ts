import type { Row } from "./timeline.ts";

/** What an answer of a language model says about itself. */
export interface ModelUse {
  model: string | null;
  finish: string;
  input: number;
  cached: number;
  output: number;
  /** null: the price is not known. */
  cost: number | null;
  calls: ModelCall[];
  /** Why the answer did not fit its schema, so that the model was asked to correct it. */
  problems: string[];
  /** The tools that the model asked for. */
  tools: string[];
}

/** One call of the model: a question may need several. */
export interface ModelCall {
  at: string | null;
  state: string;
  input: number | null;
  output: number | null;
  cost: number | null;
  /** false: the answer was lost, and this is the most that it can have cost. */
  isCostKnown: boolean;
}

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members => value !== null && typeof value === "object" && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Numbers may be exact ones, of which a sum needs no more than a number. */
function numberOf(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  const number = Number(String(value));
  return Number.isFinite(number) ? number : null;
}

/** Reads what a model has used; null if this is no answer of a model. */
export function modelUse(output: unknown): ModelUse | null {
  if (!isMembers(output) || !isMembers(output.usage) || !("finish" in output)) return null;
  const usage = output.usage;
  return {
    model: textOf(output.model),
    finish: textOf(output.finish) ?? "",
    input: numberOf(usage.inputTokens) ?? 0,
    cached: numberOf(usage.cachedInputTokens) ?? 0,
    output: numberOf(usage.outputTokens) ?? 0,
    cost: numberOf(usage.cost),
    calls: listOf(usage.calls).filter(isMembers).map(callOf),
    problems: listOf(output.problems).map(String),
    tools: listOf(output.calls).flatMap((one) => (isMembers(one) && textOf(one.tool) ? [textOf(one.tool)!] : [])),
  };
}

function callOf(one: Members): ModelCall {
  return {
    at: textOf(one.at),
    state: textOf(one.state) ?? "",
    input: numberOf(one.inputTokens),
    output: numberOf(one.outputTokens),
    cost: numberOf(one.cost),
    isCostKnown: one.isCostKnown !== false,
  };
}

/** What all questions of a run have used together; answers from the ledger cost this run nothing. */
export interface ModelSum {
  questions: number;
  repairs: number;
  found: number;
  input: number;
  output: number;
  cost: number | null;
}

export function modelSum(rows: readonly Row[]): ModelSum | null {
  const sum: ModelSum = { questions: 0, repairs: 0, found: 0, input: 0, output: 0, cost: 0 };
  for (const row of rows) {
    if (!row.effect) continue;
    const use = modelUse(row.entries.findLast((entry) => entry.output != null)?.output);
    if (!use) continue;
    if (row.state === "reused") {
      sum.found++;
      continue;
    }
    sum.questions++;
    if (use.problems.length > 0) sum.repairs++;
    sum.input += use.input;
    sum.output += use.output;
    sum.cost = sum.cost === null || use.cost === null ? null : sum.cost + use.cost;
  }
  return sum.questions + sum.found > 0 ? sum : null;
}

const amounts = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 });

/** Writes an amount of money that may be very small. */
export function amount(value: number): string {
  return amounts.format(value);
}
