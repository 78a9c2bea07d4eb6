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

/** So many lines are drawn at first, and so many more at each wish. */
const MOST = 500;

function Lines({ of }: { of: Block }) {
  const [isOpen, open] = useState(!of.isFolded);
  const [shown, setShown] = useState(MOST);
  if (!isOpen) {
    return (
      <button type="button" class="diff-fold" onClick={() => open(true)}>
        {text.diff.folded(of.lines.length)}
      </button>
    );
  }
  return (
    <>
      {of.lines.slice(0, shown).map((line, i) => (
        <span key={i} class={"diff-" + line.kind}>
          {MARKS[line.kind] + " " + line.text}
        </span>
      ))}
      {of.lines.length > shown && (
        <button type="button" class="diff-fold" onClick={() => setShown(shown + 4 * MOST)}>
          {text.diff.more(of.lines.length - shown)}
        </button>
      )}
    </>
  );
}
