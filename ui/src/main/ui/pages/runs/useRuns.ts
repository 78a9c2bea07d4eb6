import { useEffect, useMemo } from "preact/hooks";
import { session } from "../../api/session.ts";
import { useStore } from "../../core/store.ts";
import type { Filter } from "./filter.ts";
import { RunList, type Known } from "./runList.ts";

const MOST_KEPT = 20;
const kept = new Map<string, RunList>();
session.follow(() => session.get() || kept.clear()); // another caller may see other runs

function listOf(key: string, filter: Filter): RunList {
  const list = kept.get(key) ?? new RunList(filter);
  kept.delete(key);
  kept.set(key, list);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  return list;
}

/** The runs of a filter. Coming back shows the rows that were there, and reads them anew. */
export function useRuns(filter: Filter): { list: RunList; known: Known } {
  const key = JSON.stringify(filter);
  const list = useMemo(() => listOf(key, filter), [key]);
  const known = useStore(list.known);
  useEffect(() => {
    list.reload();
    return () => list.stop();
  }, [list]);
  return { list, known };
}
