import { print } from "../../core/json.ts";
import type { Entry } from "./timeline.ts";

const MOST_VALUE = 300;

/** Members of an entry that have a place of their own on this page. */
const PLACED = new Set(["seq", "at", "type", "step", "item", "round", "attempt", "branch", "decision", "evidence", "error", "waitUntil", "output", "key", "wireKey", "guard", "revision", "effect", "externalId", "reusedFrom", "state"]);

/** What an entry also says, such as what a later kind of step has measured. */
export function others(entry: Entry): [name: string, value: string][] {
  return Object.entries(entry)
    .filter(([name, value]) => !PLACED.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => [name, typeof value === "string" ? value.slice(0, MOST_VALUE) : print(value, 0).slice(0, MOST_VALUE)]);
}
