import { Facts } from "../../components/Facts.tsx";
import { Time } from "../../components/Time.tsx";
import { number } from "../../core/format.ts";
import { text } from "../../text.ts";
import { amount, type ModelCall, type ModelUse } from "./model.ts";

const words = text.run.model;

/** What an answer of a language model was made of: tokens, cost, calls, and why it was corrected. */
export function ModelAnswer({ of, isReused }: { of: ModelUse; isReused: boolean }) {
  return (
    <section class="model">
      <h3>{words.title}</h3>
      <Facts
        of={[
          [words.name, of.model && <bdi class="mono">{of.model}</bdi>],
          [words.tokens, words.tokensOf(number(of.input), number(of.output), of.cached > 0 ? number(of.cached) : null)],
          [words.cost, isReused ? words.free : of.cost === null ? words.unknown : amount(of.cost)],
          [words.tools, of.tools.join(", ")],
          [words.finish, of.finish !== "stop" && of.finish],
        ]}
      />
      {of.problems.length > 0 && (
        <div class="notice tone-warn">
          <p>{words.repaired}</p>
          <ul>
            {of.problems.slice(0, 20).map((one, i) => (
              <li key={i}>
                <bdi>{one}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      {of.calls.length > 1 && !isReused && (
        <ol class="model-calls" aria-label={words.calls}>
          {of.calls.slice(0, 20).map((one, i) => (
            <Call key={i} of={one} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Call({ of }: { of: ModelCall }) {
  return (
    <li class={of.state === "answered" ? "tone-good" : "tone-warn"}>
      <span class="status">
        <span class="status-mark" aria-hidden="true" />
        {words.states[of.state] ?? of.state}
      </span>
      <span class="muted">{of.at && <Time at={of.at} />}</span>
      <span class="model-cost">
        {of.cost !== null && (of.isCostKnown ? amount(of.cost) : words.atMost(amount(of.cost)))}
      </span>
    </li>
  );
}
