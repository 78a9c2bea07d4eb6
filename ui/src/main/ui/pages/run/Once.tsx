import { link, pathTo } from "../../core/router.ts";
import { toneOf } from "../../components/Status.tsx";
import { text } from "../../text.ts";
import { between, onceParts, type EffectStates } from "./once.ts";
import type { RunData } from "./RunHead.tsx";

/** The first thing that a person wants to know: was it done, and was it done once? */
export function Once({ run, states, unknown, reused }: { run: RunData; states: EffectStates | null; unknown: string | null; reused: number }) {
  if (states === null) return <p class="once">{unknown === null ? "\u00a0" : text.run.uncounted(unknown)}</p>;
  const parts = onceParts(states, run.duplicates, reused);
  const path = pathTo("runs", run.id);
  return (
    <p class="once">
      {parts.map((part, i) => (
        <span key={part.words}>
          {i > 0 && between(parts[i - 1]!, part)}
          {part.shows === null ? (
            <strong>{part.words}</strong>
          ) : (
            <a
              class={"once-part tone-" + (part.shows === "repeats" || part.shows === "reused" ? "calm" : part.shows === "undos" ? "warn" : toneOf(part.shows))}
              href={part.shows === "repeats" ? link(path, { tab: "related" }) : link(path, { show: part.shows })}
            >
              {part.words}
            </a>
          )}
        </span>
      ))}
    </p>
  );
}
