import { plural } from "../../core/format.ts";
import { text } from "../../text.ts";

const ORDER = ["done", "pending", "doubt", "review", "undoing", "undone", "failed", "abandoned"];

/** A part of the first line: its words, and what it is a link to. */
export interface OncePart {
  words: string;
  /** The state of the effects, "reused", "undos" or "repeats"; null: no link. */
  shows: string | null;
}

/** The states of the effects of a run. An undo takes something back: it is no part of what was done. */
export interface EffectStates {
  done: readonly string[];
  undos: readonly string[];
}

/** Tells the effects of a run and their undos apart. */
export function statesOf(effects: readonly { state: string; isUndo: boolean }[]): EffectStates {
  return { done: effects.filter((one) => !one.isUndo).map((one) => one.state), undos: effects.filter((one) => one.isUndo).map((one) => one.state) };
}

function counted(states: readonly string[]): [state: string, words: string][] {
  return ORDER.flatMap((state) => {
    const count = states.filter((one) => one === state).length;
    return count > 0 ? [[state, count + " " + (text.status[state] ?? state).toLowerCase()] as [string, string]] : [];
  });
}

/** Says in words what became of the effects of a run, part by part. */
export function onceParts({ done, undos }: EffectStates, repeats: number, reused = 0): OncePart[] {
  const parts: OncePart[] =
    done.length + reused === 0
      ? [{ words: text.run.none, shows: null }]
      : [
          { words: text.run.effects(plural(done.length + reused, "effect")), shows: null },
          ...counted(done).map(([shows, words]) => ({ words, shows })),
        ];
  // an undo that is done is told by what it has undone
  const open = counted(undos.filter((state) => state !== "done"));
  if (open.length > 0) parts.push({ words: text.run.undos(open.map(([, words]) => words).join(", ")), shows: "undos" });
  if (reused > 0) parts.push({ words: text.run.reused(reused), shows: "reused" });
  if (repeats > 0) parts.push({ words: text.run.stopped(plural(repeats, "repeat")), shows: "repeats" });
  return parts;
}

/** What is between two parts. */
export function between(before: OncePart, after: OncePart): string {
  if (after.shows === "repeats" || after.shows === "undos") return "; ";
  return before.shows === null ? " " : ", ";
}

/** The same as one text: "4 effects: 3 done, 1 in doubt; 2 repeats stopped". */
export function onceWords(states: EffectStates, repeats: number, reused = 0): string {
  const parts = onceParts(states, repeats, reused);
  return parts.map((part, i) => (i === 0 ? "" : between(parts[i - 1]!, part)) + part.words).join("");
}
