import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { Check } from "../../components/Field.tsx";
import { Confirm } from "../../components/Confirm.tsx";
import { Dialog } from "../../components/Dialog.tsx";
import { Options } from "../../components/Options.tsx";
import { plural } from "../../core/format.ts";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { decisions, type Decision } from "./decisions.ts";
import type { ReviewItem } from "./ReviewsPage.tsx";

type Settled = Answer<"POST /api/reviews/settle">;

const AT_ONCE = 200;

/** One decision about many reviews, each bound to the revision and the attempts that were shown. */
export function SettleMany({ of, onClose }: { of: ReviewItem[]; onClose: () => void }) {
  const [decision, setDecision] = useState<Decision>("not-happened");
  const [compensate, setCompensate] = useState(false);
  const [result, setResult] = useState<Settled | null>(null);
  const words = text.reviews;

  const run = async (reason: string) => {
    const all: Settled = { settled: 0, refused: 0, items: [] };
    for (let i = 0; i < of.length; i += AT_ONCE) {
      const items = of.slice(i, i + AT_ONCE).map((one) => ({ effect: one.id, revision: one.revision, attempt: one.attempts }));
      const body = { decision, reason, items, ...(compensate && decision === "happened" ? { compensate } : {}) };
      const part = await call("POST /api/reviews/settle", { body });
      all.settled += part.settled;
      all.refused += part.refused;
      all.items.push(...part.items);
    }
    setResult(all);
  };

  if (result) return <Result of={result} keys={new Map(of.map((one) => [one.id, one.key]))} onClose={onClose} />;
  return (
    <Confirm
      onClose={onClose}
      stays
      action={{
        title: words.manyTitle(plural(of.length, "review")),
        says: (
          <>
            <p>{words.manySays}</p>
            <Options label={words.decision} of={decisions} value={decision} onValue={(value) => setDecision(value as Decision)} />
            {decision === "happened" && <Check label={words.compensate} hint={words.compensateHint} value={compensate} onValue={setCompensate} />}
          </>
        ),
        label: words.decisions[decision].many(plural(of.length, "effect")),
        isDangerous: decision === "abandon",
        asksReason: true,
        run,
      }}
    />
  );
}

function Result({ of, keys, onClose }: { of: Settled; keys: Map<string, string>; onClose: () => void }) {
  const words = text.reviews;
  const refused = of.items.filter((one) => one.outcome !== "settled");
  return (
    <Dialog title={words.settled(plural(of.settled, "review"))} onClose={onClose}>
      {refused.length > 0 && (
        <>
          <p class="notice tone-warn">{words.refused(plural(refused.length, "review"))}</p>
          <ul class="settled">
            {refused.map((one) => (
              <li key={one.effect}>
                <a href={link(pathTo("reviews", one.effect))} class="mono">
                  {keys.get(one.effect) ?? one.effect}
                </a>{" "}
                {one.detail ?? one.outcome}
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="dialog-actions">
        <button type="button" class="button primary" autofocus onClick={onClose}>
          {text.dialog.close}
        </button>
      </div>
    </Dialog>
  );
}
