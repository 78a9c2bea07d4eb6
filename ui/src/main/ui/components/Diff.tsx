import { useMemo } from "preact/hooks";
import { diff } from "../core/diff.ts";

const MARKS = { same: " ", old: "−", new: "+" };

/** Two texts, line by line: what stays, what goes and what comes. */
export function Diff({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => diff(before, after), [before, after]);
  return (
    <pre class="diff" tabIndex={0}>
      {lines.map((line, i) => (
        <span key={i} class={"diff-" + line.kind}>
          {MARKS[line.kind]} {line.text + "\n"}
        </span>
      ))}
    </pre>
  );
}
