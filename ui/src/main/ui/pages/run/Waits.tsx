import type { Answer } from "../../api/client.ts";
import { Time } from "../../components/Time.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

export type Wait = Answer<"GET /api/runs/{id}/waits">["items"][number];

const SHOWN = 6;

/** What a run waits for now, and what a person can do about it. */
export function Waits({ of }: { of: Wait[] }) {
  if (of.length === 0) return null;
  const words = text.run;
  return (
    <ul class="run-waits" aria-label={words.waits}>
      {of.slice(0, SHOWN).map((wait, i) => (
        <li key={i} class={"tone-" + (wait.asksPerson ? "ask" : wait.cause === "retry" ? "warn" : "calm")}>
          <span>
            {wait.step && <strong>{wait.step + (wait.item ? " · " + wait.item : "") + " "}</strong>}
            {wait.message}
            {wait.until && (
              <>
                {"; " + (wait.cause === "retry" ? words.nextTry : words.until) + " "}
                <Time at={wait.until} isRelative />
              </>
            )}
          </span>
          <span class="wait-links">
            {wait.cause === "review" && wait.effect && <a href={link(pathTo("reviews", wait.effect))}>{words.settle}</a>}
            {wait.approval && <a href={link(pathTo("desk", wait.approval))}>{words.decide}</a>}
            {wait.runs.map((other) => (
              <a key={other.id} href={link(pathTo("runs", other.id))}>
                {other.flow ? other.flow + " " + (other.key ?? "") : other.id}
              </a>
            ))}
          </span>
        </li>
      ))}
      {of.length > SHOWN && <li class="tone-quiet">{words.moreWaits(of.length - SHOWN)}</li>}
    </ul>
  );
}
