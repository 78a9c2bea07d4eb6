import type { RunData } from "./RunHead.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { plural } from "../../core/format.ts";
import { text } from "../../text.ts";

/** What the run of a draft would send, in order. It has sent nothing. */
export function WouldSend({ run }: { run: RunData }) {
  const words = text.run.draft;
  const effects = run.wouldSend;
  if (!effects) return null;
  return (
    <section class="panel would-send" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p class="muted">{effects.length === 0 ? (run.endedAt ? words.nothing : words.notYet) : words.says(plural(effects.length, "effect"))}</p>
      <ol>
        {effects.map((one) => (
          <li key={one.id}>
            <p>
              <strong>{one.name}</strong> <bdi class="mono">{one.key}</bdi> <span class="badge tone-quiet">{one.guard}</span>
            </p>
            <JsonView title={text.run.request} value={one.request} />
          </li>
        ))}
      </ol>
    </section>
  );
}
