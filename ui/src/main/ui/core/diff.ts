export interface DiffLine {
  kind: "same" | "old" | "new";
  text: string;
}

/** The work grows with the square of this. */
const MOST_CHANGES = 1000;

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
  const found: DiffLine[] = [];
  let x = 0;
  let y = 0;
  const advance = (i: number, j: number) => {
    while (x < i) found.push({ kind: "old", text: a[x++]! });
    while (y < j) found.push({ kind: "new", text: b[y++]! });
  };
  for (const [i, j] of pairs(a, b)) {
    advance(i, j);
    found.push({ kind: "same", text: a[i]! });
    x++;
    y++;
  }
  advance(a.length, b.length);
  return found;
}

/** Returns which lines stay. A line that only one text has is no part of the search: most changes are such lines. */
function pairs(a: string[], b: string[]): [number, number][] {
  const common = (own: string[], other: Set<string>) => own.flatMap((text, i) => (other.has(text) ? [i] : []));
  const ofA = common(a, new Set(b));
  const ofB = common(b, new Set(a));
  return matches(ofA.map((i) => a[i]!), ofB.map((i) => b[i]!)).map(([i, j]) => [ofA[i]!, ofB[j]!]);
}

/**
 * The most lines that stay, as Myers finds them: the time grows with the number of changes, so that two long texts
 * that differ little are compared at once. Of texts that differ in more lines than that, none stays.
 */
function matches(a: string[], b: string[]): [number, number][] {
  const trace = traced(a, b) ?? [];
  const found: [number, number][] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d--) {
    const last = trace[d - 1];
    const isNew = last !== undefined && comesDown(last, d, x - y);
    const from = !last ? 0 : isNew ? reached(last, d - 1, x - y + 1) : reached(last, d - 1, x - y - 1) + 1;
    while (x > from) found.push([--x, --y]);
    if (isNew) y--;
    else x--;
  }
  return found.reverse();
}

/** How far each diagonal was reached with d changes; of all numbers of changes up to the one that was enough, or null. */
function traced(a: string[], b: string[]): Int32Array[] | null {
  const trace: Int32Array[] = [];
  for (let d = 0; d <= MOST_CHANGES; d++) {
    const last = trace[d - 1];
    const now = new Int32Array(2 * d + 1);
    for (let k = -d; k <= d; k += 2) {
      let x = !last ? 0 : comesDown(last, d, k) ? reached(last, d - 1, k + 1) : reached(last, d - 1, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      now[k + d] = x;
      if (x >= a.length && x - k >= b.length) {
        trace.push(now);
        return trace;
      }
    }
    trace.push(now);
  }
  return null;
}

function reached(of: Int32Array, d: number, k: number): number {
  return of[k + d] ?? -1;
}

function comesDown(last: Int32Array, d: number, k: number): boolean {
  return k === -d || (k !== d && reached(last, d - 1, k - 1) < reached(last, d - 1, k + 1));
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
