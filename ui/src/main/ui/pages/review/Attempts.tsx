import type { Answer } from "../../api/client.ts";
import { Time } from "../../components/Time.tsx";
import { text } from "../../text.ts";

type Entry = NonNullable<Answer<"GET /api/reviews/{id}">["history"]>[number];

/** Every attempt, answer, lookup and decision, in order. */
export function Attempts({ of }: { of: Entry[] }) {
  if (of.length === 0) return <p class="muted">{text.review.noHistory}</p>;
  return (
    <ol class="attempts">
      {of.map((entry) => (
        <li key={entry.seq}>
          <span class="muted attempts-at">
            <Time at={entry.at} />
          </span>
          <span>
            <strong>{text.review.entries[entry.type] ?? entry.type}</strong>
            {entry.attempt != null && <span class="muted"> {text.review.attempt(entry.attempt)}</span>}
            {entry.decision && <span> {entry.decision}</span>}
            <span class="attempts-about">{[entry.evidence, entry.error?.message].filter(Boolean).join(" · ")}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
