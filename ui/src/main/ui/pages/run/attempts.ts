import type { Entry } from "./timeline.ts";

/** What happened in an attempt, without what is different in every attempt: its number and its times. */
export interface Story {
  attempt: number;
  told: Record<string, unknown>[];
}

/** The attempts of a step in order. An entry without a number belongs to the attempt before it. */
export function storyOf(entries: readonly Entry[]): Story[] {
  const found: Story[] = [];
  for (const entry of entries) {
    let story = entry.attempt ? found.find((one) => one.attempt === entry.attempt) : found.at(-1);
    if (!story && entry.attempt) {
      story = { attempt: entry.attempt, told: [] };
      found.push(story);
    }
    if (!story) continue; // before the first attempt
    const told: Record<string, unknown> = { type: entry.type };
    if (entry.decision) told.decision = entry.decision;
    if (entry.evidence) told.evidence = entry.evidence;
    if (entry.error) told.error = { code: entry.error.code, message: entry.error.message };
    if (entry.output !== undefined && entry.output !== null) told.output = entry.output;
    story.told.push(told);
  }
  return found;
}
