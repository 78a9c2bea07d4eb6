export interface DiffLine {
  kind: "same" | "old" | "new";
  text: string;
}

const MOST_CELLS = 4_000_000;

/** Compares two texts line by line: the longest common part stays, the rest is old or new. */
export function diff(before: string, after: string): DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let begin = 0;
  while (begin < a.length && begin < b.length && a[begin] === b[begin]) begin++;
  let end = 0;
  while (end < a.length - begin && end < b.length - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const same = (text: string): DiffLine => ({ kind: "same", text });
  return [
    ...a.slice(0, begin).map(same),
    ...middle(a.slice(begin, a.length - end), b.slice(begin, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

function middle(a: string[], b: string[]): DiffLine[] {
  const old = (text: string): DiffLine => ({ kind: "old", text });
  const fresh = (text: string): DiffLine => ({ kind: "new", text });
  if (a.length * b.length > MOST_CELLS || !a.length || !b.length) return [...a.map(old), ...b.map(fresh)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      common[at] = a[i] === b[j] ? common[at + width + 1]! + 1 : Math.max(common[at + width]!, common[at + 1]!);
    }
  }
  const found: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const at = i * width + j;
    if (a[i] === b[j]) {
      found.push({ kind: "same", text: a[i++]! });
      j++;
    } else if (common[at + width]! >= common[at + 1]!) found.push(old(a[i++]!));
    else found.push(fresh(b[j++]!));
  }
  return [...found, ...a.slice(i).map(old), ...b.slice(j).map(fresh)];
}

/** Lines that follow each other; folded ones stay the same, and are far from every change. */
export interface Block {
  lines: DiffLine[];
  isFolded: boolean;
}

/** Lines around a change that are shown. */
const AROUND = 3;
/** A shorter stretch is not worth a fold. */
const LEAST = 6;

/** Folds the long stretches that stay the same; without any change, nothing is folded. */
export function folded(lines: readonly DiffLine[]): Block[] {
  const changes = lines.flatMap((line, i) => (line.kind === "same" ? [] : [i]));
  if (changes.length === 0) return [{ lines: [...lines], isFolded: false }];
  const blocks: Block[] = [];
  let from = 0;
  const cut = (to: number, isFolded: boolean) => {
    if (to > from) blocks.push({ lines: lines.slice(from, to), isFolded });
    from = Math.max(from, to);
  };
  for (let i = 0; i <= changes.length; i++) {
    const begin = i === 0 ? 0 : changes[i - 1]! + 1 + AROUND;
    const end = i === changes.length ? lines.length : changes[i]! - AROUND;
    if (end - begin >= LEAST) {
      cut(begin, false);
      cut(end, true);
    }
  }
  cut(lines.length, false);
  return blocks;
}
