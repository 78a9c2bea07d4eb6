import type { ComponentChildren } from "preact";
import type { Loaded } from "../api/use.ts";
import { text } from "../text.ts";
import { Problem } from "./Problem.tsx";

/** Shows an answer, or that it is awaited, or why there is none. Old data stays, with a note. */
export function Show<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ComponentChildren }) {
  if (of.data === undefined) {
    return of.problem ? <Problem of={of.problem} onRetry={of.reload} /> : <p class="loading">{text.state.loading}</p>;
  }
  return (
    <>
      {of.problem && (
        <p class="notice tone-warn" role="status">
          {text.state.old}{" "}
          <button type="button" class="link" onClick={of.reload}>
            {text.state.retry}
          </button>
        </p>
      )}
      {children(of.data)}
    </>
  );
}
