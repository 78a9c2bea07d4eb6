import { useMemo, useState } from "preact/hooks";
import { diff, folded, type Block } from "../core/diff.ts";
import { text } from "../text.ts";

const MARKS = { same: " ", old: "−", new: "+" };

/** Two texts, line by line: what stays, what goes and what comes. Long stretches that stay are folded. */
export function Diff({ before, after }: { before: string; after: string }) {
  const blocks = useMemo(() => folded(diff(lineEndCut(before), lineEndCut(after))), [before, after]);
  return (
    <pre class="diff" tabIndex={0}>
      {blocks.map((block, i) => (
        <Lines key={i + " " + block.lines.length} of={block} />
      ))}
    </pre>
  );
}

/** A last line that ends is no further, empty line. */
function lineEndCut(content: string): string {
  return content.endsWith("\n") ? content.slice(0, -1) : content;
}

function Lines({ of }: { of: Block }) {
  const [isOpen, open] = useState(!of.isFolded);
  if (!isOpen) {
    return (
      <button type="button" class="diff-fold" onClick={() => open(true)}>
        {text.diff.folded(of.lines.length)}
      </button>
    );
  }
  return (
    <>
      {of.lines.map((line, i) => (
        <span key={i} class={"diff-" + line.kind}>
          {MARKS[line.kind] + " " + line.text}
        </span>
      ))}
    </>
  );
}
