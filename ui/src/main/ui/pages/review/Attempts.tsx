import type { Answer } from "../../api/client.ts";
import { toneOf } from "../../components/Status.tsx";
import { Time } from "../../components/Time.tsx";
import { plainly } from "../../core/format.ts";
import { text } from "../../text.ts";

type Entry = NonNullable<Answer<"GET /api/reviews/{id}">["history"]>[number];

/** The state that an entry tells, where it is not its name. */
const STATES: Record<string, string> = { settled: "done", "answered-late": "done", reused: "done", absent: "retrying", "not-applied": "retrying", refused: "failed", "review-first": "review" };

/** Every attempt, answer, lookup and decision, in order. */
export function Attempts({ of }: { of: Entry[] }) {
  if (of.length === 0) return <p class="muted">{text.review.noHistory}</p>;
  return (
    <ol class="attempts">
      {of.map((entry) => (
        <li key={entry.seq} class={"tone-" + toneOf(STATES[entry.type] ?? entry.type)}>
          <span class="muted attempts-at">
            <Time at={entry.at} />
          </span>
          <span>
            <strong>{text.review.entries[entry.type] ?? entry.type}</strong>
            {entry.attempt != null && <span class="muted"> {text.review.attempt(entry.attempt)}</span>}
            {entry.decision && <span> {entry.decision}</span>}
            <span class="attempts-about">{[entry.evidence, entry.error?.message].filter((one) => !!one).map((one) => plainly(one!)).join(" · ")}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
