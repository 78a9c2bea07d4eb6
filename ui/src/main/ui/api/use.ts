import { useEffect, useRef, useState } from "preact/hooks";
import { Answers } from "./answers.ts";
import { call, problemFrom, type Answer, type ApiProblem, type Arguments, type Operation } from "./client.ts";
import { useLive, type RunEvent } from "./live.ts";
import { OneAtATime } from "./oneAtATime.ts";

/** What a component knows of a call. */
export interface Loaded<T> {
  /** The newest answer; stays while it is asked for again. */
  data: T | undefined;
  problem: ApiProblem | undefined;
  isLoading: boolean;
  reload: () => void;
}

const answers = new Answers(100);

/** Forgets all answers; for another caller. */
export function forgetAnswers(): void {
  answers.clear();
}

const RELOAD_AFTER = 400;

/** Asks again soon after a change that the caller cares about; many changes in a row are one. */
export function useChanges(key: string | null, isAbout: ((event: RunEvent) => boolean) | undefined, ask: () => void, after = RELOAD_AFTER): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useLive(
    (event) => {
      if (!isAbout || (event && !isAbout(event)) || timer.current) return;
      timer.current = setTimeout(() => {
        timer.current = undefined;
        ask();
      }, after);
    },
    [key, isAbout],
  );
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [key],
  );
}

/**
 * Calls a GET route when the component is shown and whenever its arguments change. Going back shows the
 * last answer at once, and asks again. No arguments: it is not called.
 *
 * @param isAbout which changes of runs make it ask again; null stands for missed changes
 */
export function useCall<K extends Operation>(
  operation: K,
  args: Arguments<K> | null,
  isAbout?: (event: RunEvent) => boolean,
): Loaded<Answer<K>> {
  const key = args === null ? null : operation + " " + JSON.stringify([args.path, args.query]);
  const [, again] = useState(0);
  const state = useRef<{ key: string | null; problem?: ApiProblem | undefined; loading: boolean }>({ key: null, loading: false });
  const asker = useRef<OneAtATime | null>(null);
  const reload = () => asker.current?.ask();

  useEffect(() => {
    if (key === null || args === null) return;
    const own = new OneAtATime(async (signal) => {
      state.current = { key, loading: true, problem: state.current.key === key ? state.current.problem : undefined };
      again((n) => n + 1);
      try {
        const answer = await call(operation, { ...args, signal });
        if (signal.aborted) return;
        answers.keep(key, answer);
        state.current = { key, loading: false };
      } catch (failure) {
        if (signal.aborted) return;
        state.current = { key, loading: false, problem: problemFrom(failure) };
      }
      again((n) => n + 1);
    });
    const hide = answers.show(key);
    asker.current = own;
    own.ask();
    return () => {
      own.stop();
      asker.current = null;
      hide();
    };
  }, [key]);
  useChanges(key, isAbout, reload);

  return {
    data: key === null ? undefined : (answers.get(key) as Answer<K> | undefined),
    problem: state.current.key === key ? state.current.problem : undefined,
    isLoading: key !== null && (state.current.key !== key || state.current.loading),
    reload,
  };
}
