import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { Dialog } from "../../components/Dialog.tsx";
import { Field } from "../../components/Field.tsx";
import { Refusal } from "../../components/Refusal.tsx";
import { Status } from "../../components/Status.tsx";
import { plural } from "../../core/format.ts";
import { text } from "../../text.ts";

const words = text.inbox;
const PAGE = 200;

type Replayed = Answer<"POST /api/inbox/replay">;

/** Tries the events of a time again: first as a dry run, which says what would become of each. */
export function Replay({ source, onClose, onChange }: { source: string; onClose: () => void; onChange: () => void }) {
  const day = 24 * 60 * 60 * 1000;
  const [from, setFrom] = useState(local(Date.now() - day));
  const [to, setTo] = useState(local(Date.now() + 60_000));
  const [found, setFound] = useState<Replayed | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setFound(null);
  };
  const ask = async (dryRun: boolean) => {
    setBusy(true);
    setProblem(null);
    try {
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), source: source || null };
      const outcomes = ["invalid", "rejected"];
      const whole: Replayed = { dryRun, totals: {}, items: [], next: null };
      let after: string | null = null;
      do {
        const page: Replayed = await call("POST /api/inbox/replay", { body: { ...range, outcomes, dryRun, limit: PAGE, after } });
        whole.items.push(...page.items);
        whole.stopped = page.stopped ?? null;
        after = page.stopped ? null : page.next;
      } while (after);
      setFound(whole);
      if (!dryRun) onChange();
    } catch (failure) {
      setProblem(failure);
    }
    setBusy(false);
  };
  return (
    <Dialog title={words.replayTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void ask(found === null || !found.dryRun);
        }}
      >
        <p>{words.replaySays(source)}</p>
        <Field label={words.from} type="datetime-local" value={from} onValue={change(setFrom)} required />
        <Field label={words.to} type="datetime-local" value={to} onValue={change(setTo)} required />
        {found && <Outcome of={found} />}
        {problem !== null && <Refusal of={problem} />}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            {found && !found.dryRun ? text.dialog.close : text.dialog.cancel}
          </button>
          {found?.dryRun && found.items.length > 0 ? (
            <button class="button primary" disabled={isBusy}>
              {words.replayDo(found.items.length)}
            </button>
          ) : (
            !(found && !found.dryRun) && (
              <button class="button primary" disabled={isBusy}>
                {words.dryRun}
              </button>
            )
          )}
        </div>
      </form>
    </Dialog>
  );
}

function Outcome({ of }: { of: Replayed }) {
  return (
    <div class="replayed" role="status">
      <strong>{of.dryRun ? words.would(plural(of.items.length, words.one, words.many)) : words.tried(plural(of.items.length, words.one, words.many))}</strong>
      <ul class="rows">
        {of.items.slice(0, PAGE).map((one) => (
          <li key={one.id}>
            <span class="mono cut">{one.event}</span>
            <Status of={one.was} />
            <span aria-hidden="true">→</span>
            <Status of={one.outcome} />
            {one.detail && <small class="muted">{one.detail}</small>}
          </li>
        ))}
      </ul>
      {of.stopped && <p class="notice tone-warn">{of.stopped}</p>}
    </div>
  );
}

/** Writes an instant for an input of a date and a time, in the viewer's zone. */
function local(millis: number): string {
  const date = new Date(millis);
  return new Date(millis - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
