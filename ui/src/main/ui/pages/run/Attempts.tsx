import { useState } from "preact/hooks";
import { Diff } from "../../components/Diff.tsx";
import { print } from "../../core/json.ts";
import { text } from "../../text.ts";
import { storyOf } from "./attempts.ts";
import type { Row } from "./timeline.ts";

/** What was different in two attempts of a step: at first in the last two. */
export function Attempts({ row }: { row: Row }) {
  const words = text.run;
  const found = storyOf(row.entries);
  const [chosen, choose] = useState<[number, number] | null>(null);
  if (found.length < 2) return null;
  const [one, other] = chosen ?? [found.at(-2)!.attempt, found.at(-1)!.attempt];
  const told = (attempt: number) => print(found.find((story) => story.attempt === attempt)?.told ?? []);
  const picker = (label: string, value: number, onValue: (attempt: number) => void) => (
    <label class="field">
      <span>{label}</span>
      <select value={String(value)} onChange={(event) => onValue(Number(event.currentTarget.value))}>
        {found.map(({ attempt }) => (
          <option key={attempt} value={String(attempt)}>
            {words.attempt(attempt)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <section class="tl-attempts">
      <h3>{words.attemptsTitle}</h3>
      <div class="run-pair">
        {picker(words.attemptBefore, one, (attempt) => choose([attempt, other]))}
        {picker(words.attemptAfter, other, (attempt) => choose([one, attempt]))}
      </div>
      {told(one) === told(other) ? <p class="muted">{words.attemptsSame}</p> : <Diff before={told(one)} after={told(other)} />}
    </section>
  );
}
