/** As much of an approval as matters here. */
interface Round {
  run: string;
  step: string;
  item?: string | null;
  round: number;
  decision: { decision: string; values?: unknown } | null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a rework begins with: the input, with the values that the last rework of the same question gave. */
export function reworked(approval: Round, decided: readonly Round[], input: unknown): unknown {
  const earlier = decided
    .filter((one) => one.run === approval.run && one.step === approval.step && (one.item ?? null) === (approval.item ?? null))
    .filter((one) => one.round < approval.round && one.decision?.decision === "rework" && one.decision.values != null)
    .sort((a, b) => b.round - a.round);
  const values = earlier[0]?.decision?.values;
  if (values === undefined) return input;
  return isObject(values) && isObject(input) ? { ...input, ...values } : values;
}
