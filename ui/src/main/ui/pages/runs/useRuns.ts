import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ApiProblem, call, type Answer } from "../../api/client.ts";
import type { Filter } from "./filter.ts";

export type RunItem = Answer<"GET /api/runs">["items"][number];

export interface Runs {
  items: RunItem[];
  problem: ApiProblem | undefined;
  isLoading: boolean;
  reload: () => void;
  more: () => void;
  /** Reads one run anew if it is in the list, and leaves its row where it is; returns whether it is. */
  refresh: (id: string) => boolean;
}

interface Known {
  items: RunItem[];
  next: string | null;
  problem?: ApiProblem | undefined;
  isLoading: boolean;
}

const PAGE = "100";
const kept = new Map<string, Known>();

/** A list of runs that grows by pages, and whose rows follow changes. */
export function useRuns(filter: Filter): Runs {
  const key = JSON.stringify(filter);
  const [known, setKnown] = useState<Known>(kept.get(key) ?? { items: [], next: null, isLoading: true });
  const [asked, ask] = useState(0);
  const state = useRef(known);
  const waiting = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const set = (next: Known) => {
    state.current = next;
    kept.set(key, next);
    setKnown(next);
  };

  const load = (after: string | null, signal: AbortSignal) => {
    set({ ...state.current, isLoading: true });
    call("GET /api/runs", { query: { ...filter, limit: PAGE, ...(after ? { after } : {}) }, signal })
      .then((page) =>
        set({ items: after ? [...state.current.items, ...page.items] : page.items, next: page.next, isLoading: false }),
      )
      .catch((failure: unknown) => {
        if (signal.aborted) return;
        const problem = failure instanceof ApiProblem ? failure : new ApiProblem(0, "unknown", String(failure));
        set({ ...state.current, problem, isLoading: false });
      });
  };

  useEffect(() => {
    const control = new AbortController();
    state.current = kept.get(key) ?? { items: [], next: null, isLoading: true };
    load(null, control.signal);
    return () => control.abort();
  }, [key, asked]);

  const flush = async () => {
    timer.current = undefined;
    const ids = [...waiting.current].slice(0, 20);
    ids.forEach((id) => waiting.current.delete(id));
    const fresh = await Promise.all(ids.map((id) => call("GET /api/runs/{id}", { path: { id } }).catch(() => null)));
    const byId = new Map(fresh.flatMap((run) => (run ? [[run.id, run] as const] : [])));
    set({ ...state.current, items: state.current.items.map((run) => byId.get(run.id) ?? run) });
    if (waiting.current.size > 0) timer.current = setTimeout(flush, 300);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  return useMemo(
    () => ({
      items: known.items,
      problem: known.problem,
      isLoading: known.isLoading,
      reload: () => ask((n) => n + 1),
      more: () => {
        if (!state.current.isLoading && state.current.next) load(state.current.next, new AbortController().signal);
      },
      refresh: (id) => {
        if (!state.current.items.some((run) => run.id === id)) return false;
        waiting.current.add(id);
        timer.current ??= setTimeout(flush, 300);
        return true;
      },
    }),
    [known, key],
  );
}
