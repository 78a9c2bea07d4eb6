import { useEffect, useRef, useState } from "preact/hooks";
import { call, problemFrom, type Answer, type ApiProblem, type Arguments, type Operation } from "./client.ts";
import type { RunEvent } from "./live.ts";
import { OneAtATime } from "./oneAtATime.ts";
import { useChanges, type Loaded } from "./use.ts";

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
  /** Whether the next page was asked for and is not there yet. */
  isGrowing: boolean;
}

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
  const [isGrowing, setGrowing] = useState(false);
  const asker = useRef<OneAtATime | null>(null);
  const count = useRef({ wanted: 1, read: 0 });
  const reload = () => asker.current?.ask();

  useEffect(() => {
    if (key === null) return;
    const own = new OneAtATime(async (signal) => {
      const wanted = count.current.wanted;
      setLoading(true);
      try {
        const pages = await readPages(operation, { ...args!, signal }, itemsOf, wanted);
        if (signal.aborted) return;
        count.current.read = wanted;
        setKnown({ key, pages });
      } catch (failure) {
        if (signal.aborted) return;
        const problem = problemFrom(failure);
        setKnown((now) => (now?.key === key ? { ...now, problem } : { key, problem }));
      }
      setLoading(false);
      setGrowing(count.current.wanted > wanted);
    });
    setGrowing(false);
    count.current = { wanted: 1, read: 0 };
    asker.current = own;
    own.ask();
    return () => {
      own.stop();
      asker.current = null;
    };
  }, [key]);
  useChanges(key, isAbout, reload);

  const own = known?.key === key ? known : null;
  return {
    data: own?.pages,
    problem: own?.problem,
    isLoading,
    reload,
    isGrowing,
    more: () => {
      count.current.wanted = count.current.read + 1;
      setGrowing(true);
      reload();
    },
  };
}
