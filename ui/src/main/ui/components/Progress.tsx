import { number } from "../core/format.ts";

/** How far something is, as parts of a bar. Its words say the same. */
export function Progress({ parts, all, label }: { parts: { tone: string; count: number }[]; all: number; label: string }) {
  const done = parts.reduce((sum, part) => sum + part.count, 0);
  return (
    <div class="progress" role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={all} aria-valuenow={done} aria-valuetext={number(done) + " / " + number(all)}>
      {parts.map((part) => (
        <span key={part.tone} class={"tone-" + part.tone} style={{ width: (all > 0 ? (100 * part.count) / all : 0) + "%" }} />
      ))}
    </div>
  );
}
