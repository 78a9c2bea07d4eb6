import type { Answer } from "../../api/client.ts";
import { duration, number, plainly } from "../../core/format.ts";
import { link } from "../../core/router.ts";
import { text } from "../../text.ts";

type Cause = Answer<"GET /api/reviews/causes">["items"][number];

/** Whole seconds, as the server counts them. */
function aged(seconds: number): string {
  return duration(seconds * 1000).replace(".0 s", " s");
}

/** What reviews have in common: most share a cause, and often the answer. */
export function Causes({ of, chosen }: { of: Cause[]; chosen: string }) {
  if (of.length === 0) return null;
  const words = text.reviews;
  return (
    <section>
      <h2>{words.causes}</h2>
      <ul class="rows causes">
        {of.map((one) => (
          <li key={one.cause} class={one.cause === chosen ? "selected" : ""}>
            <a class="cause" href={link("/reviews", { cause: one.cause === chosen ? null : one.cause })} aria-current={one.cause === chosen ? "true" : undefined}>
              <span class="cause-count">{number(one.count)}</span>
              <span class="cause-what">
                <span class="cause-error" title={one.error}>{plainly(one.error)}</span>
                <span class="muted small-text">{[one.flow, one.step, one.destination].filter(Boolean).join(" › ")}</span>
              </span>
              {one.oldestAgeSeconds != null && <span class="cause-age muted">{words.oldest(aged(one.oldestAgeSeconds))}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
