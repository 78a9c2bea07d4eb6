import { plural } from "../../core/format.ts";
import { text } from "../../text.ts";

const ORDER = ["done", "pending", "doubt", "review", "undoing", "undone", "failed", "abandoned"];

/** A part of the first line: its words, and what it is a link to. */
export interface OncePart {
  words: string;
  /** The state of the effects, "reused" or "repeats"; null: no link. */
  shows: string | null;
}

/** Says in words what became of the effects of a run, part by part. */
export function onceParts(states: string[], repeats: number, reused = 0): OncePart[] {
  const parts: OncePart[] =
    states.length + reused === 0
      ? [{ words: text.run.none, shows: null }]
      : [
          { words: text.run.effects(plural(states.length + reused, "effect")), shows: null },
          ...ORDER.flatMap((state) => {
            const count = states.filter((one) => one === state).length;
            return count > 0 ? [{ words: count + " " + (text.status[state] ?? state).toLowerCase(), shows: state }] : [];
          }),
        ];
  if (reused > 0) parts.push({ words: text.run.reused(reused), shows: "reused" });
  if (repeats > 0) parts.push({ words: text.run.stopped(plural(repeats, "repeat")), shows: "repeats" });
  return parts;
}

/** What is between two parts. */
export function between(before: OncePart, after: OncePart): string {
  if (after.shows === "repeats") return "; ";
  return before.shows === null ? " " : ", ";
}

/** The same as one text: "4 effects: 3 done, 1 in doubt; 2 repeats stopped". */
export function onceWords(states: string[], repeats: number, reused = 0): string {
  const parts = onceParts(states, repeats, reused);
  return parts.map((part, i) => (i === 0 ? "" : between(parts[i - 1]!, part)) + part.words).join("");
}
