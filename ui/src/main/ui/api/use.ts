import { useEffect, useRef, useState } from "preact/hooks";
import { ApiProblem, call, type Answer, type Arguments, type Operation } from "./client.ts";
import { useLive, type RunEvent } from "./live.ts";

/** What a component knows of a call. */
export interface Loaded<T> {
  /** The newest answer; stays while it is asked for again. */
  data: T | undefined;
  problem: ApiProblem | undefined;
  isLoading: boolean;
  reload: () => void;
}

const MOST_KEPT = 100;
const answers = new Map<string, unknown>();

function keep(key: string, answer: unknown): void {
  answers.delete(key);
  answers.set(key, answer);
  if (answers.size > MOST_KEPT) answers.delete(answers.keys().next().value!);
}

/** Forgets all answers; for another caller. */
export function forgetAnswers(): void {
  answers.clear();
}

const RELOAD_AFTER = 400;

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
  const [asked, ask] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  useEffect(() => {
    if (key === null || args === null) return;
    const control = new AbortController();
    state.current = { key, loading: true, problem: state.current.key === key ? state.current.problem : undefined };
    again((n) => n + 1);
    call(operation, { ...args, signal: control.signal })
      .then((answer) => {
        keep(key, answer);
        state.current = { key, loading: false };
        again((n) => n + 1);
      })
      .catch((failure: unknown) => {
        if (control.signal.aborted) return;
        const problem = failure instanceof ApiProblem ? failure : new ApiProblem(0, "unknown", String(failure));
        state.current = { key, loading: false, problem };
        again((n) => n + 1);
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

  return {
    data: key === null ? undefined : (answers.get(key) as Answer<K> | undefined),
    problem: state.current.key === key ? state.current.problem : undefined,
    isLoading: key !== null && (state.current.key !== key || state.current.loading),
    reload: () => ask((n) => n + 1),
  };
}
