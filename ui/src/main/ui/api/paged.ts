import { useEffect, useRef, useState } from "preact/hooks";
import { ApiProblem, call, type Answer, type Arguments, type Operation } from "./client.ts";
import { useLive, type RunEvent } from "./live.ts";
import type { Loaded } from "./use.ts";

/** All pages of a list that were asked for, as one list. */
export interface Pages<A, I> {
  /** The first answer, with what is not in its list. */
  first: A;
  items: I[];
  hasMore: boolean;
}

export interface Paged<A, I> extends Loaded<Pages<A, I>> {
  /** Asks for the next page, too. */
  more: () => void;
}

const RELOAD_AFTER = 400;

/** Reads so many pages, one after another. */
export async function readPages<K extends Operation, I>(
  operation: K,
  args: Arguments<K>,
  itemsOf: (answer: Answer<K>) => I[],
  count: number,
): Promise<Pages<Answer<K>, I>> {
  const items: I[] = [];
  let first: Answer<K> | undefined;
  let after: string | null | undefined;
  for (let i = 0; i < count; i++) {
    const query = { ...args.query, ...(after ? { after } : {}) } as Arguments<K>["query"] & object;
    const answer = await call(operation, { ...args, query });
    first ??= answer;
    items.push(...itemsOf(answer));
    after = (answer as { next?: string | null }).next;
    if (!after) break;
  }
  return { first: first!, items, hasMore: !!after };
}

/**
 * Calls a GET route that answers in pages. Asking again reads as many pages as are shown, so rows neither
 * vanish nor appear twice.
 *
 * @param isAbout which changes of runs make it ask again
 */
export function usePaged<K extends Operation, I>(
  operation: K,
  args: Arguments<K> | null,
  itemsOf: (answer: Answer<K>) => I[],
  isAbout?: (event: RunEvent) => boolean,
): Paged<Answer<K>, I> {
  const key = args && operation + " " + JSON.stringify([args.path, args.query]);
  const [known, setKnown] = useState<{ key: string; pages?: Pages<Answer<K>, I>; problem?: ApiProblem } | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [asked, ask] = useState(0);
  const count = useRef({ key, pages: 1 });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  if (count.current.key !== key) count.current = { key, pages: 1 };

  useEffect(() => {
    if (key === null) return;
    const control = new AbortController();
    setLoading(true);
    readPages(operation, { ...args!, signal: control.signal }, itemsOf, count.current.pages)
      .then((pages) => {
        if (control.signal.aborted) return;
        setKnown({ key, pages });
        setLoading(false);
      })
      .catch((failure: unknown) => {
        if (control.signal.aborted) return;
        const problem = failure instanceof ApiProblem ? failure : new ApiProblem(0, "unknown", String(failure));
        setKnown((now) => (now?.key === key ? { ...now, problem } : { key, problem }));
        setLoading(false);
      });
    return () => control.abort();
  }, [key, asked]);

  useLive(
    (event) => {
      if (!isAbout || (event && !isAbout(event)) || timer.current) return;
      timer.current = setTimeout(() => {
        timer.current = undefined;
        ask((n) => n + 1);
      }, RELOAD_AFTER);
    },
    [key, isAbout],
  );
  useEffect(() => () => clearTimeout(timer.current), []);

  const own = known?.key === key ? known : null;
  return {
    data: own?.pages,
    problem: own?.problem,
    isLoading,
    reload: () => ask((n) => n + 1),
    more: () => {
      if (isLoading) return;
      count.current.pages++;
      ask((n) => n + 1);
    },
  };
}
