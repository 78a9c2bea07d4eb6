import { useState } from "preact/hooks";
import { ApiProblem, call } from "../../api/client.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Check, Field } from "../../components/Field.tsx";
import { toast } from "../../components/Toasts.tsx";
import { print, parse } from "../../core/json.ts";
import { text } from "../../text.ts";
import type { Decision } from "../reviews/decisions.ts";
import type { Review } from "./ReviewPage.tsx";

interface Asked {
  review: Review;
  decision: Decision;
  onClose: () => void;
  onDone: () => void;
  /** What is another now than when the person looked. */
  onStale: (changes: string[]) => void;
}

/** Takes a decision about one review, bound to the revision and the attempts that the person saw. */
export function Settle({ review, decision, onClose, onDone, onStale }: Asked) {
  const [externalId, setExternalId] = useState("");
  const [result, setResult] = useState("");
  const [compensate, setCompensate] = useState(false);
  const words = text.reviews;
  const one = words.decisions[decision];
  const hasHappened = decision === "happened";

  const run = async (reason: string) => {
    const members: Record<string, string> = { decision: JSON.stringify(decision), reason: JSON.stringify(reason) };
    members.revision = String(review.revision);
    members.attempt = String(review.attempts);
    if (hasHappened && externalId.trim()) members.externalId = JSON.stringify(externalId.trim());
    if (hasHappened && result.trim()) members.result = checked(result);
    if (hasHappened && compensate) members.compensate = "true";
    const body = "{" + Object.entries(members).map(([name, value]) => JSON.stringify(name) + ":" + value).join(",") + "}";
    try {
      await call("POST /api/effects/{id}/settle", { path: { id: review.id }, text: body });
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.kind === "stale") return onStale(await changesOf(review, problem));
      throw problem;
    }
    toast(one.done);
    onDone();
  };
  return (
    <Confirm
      onClose={onClose}
      action={{
        title: one.title,
        says: (
          <>
            <p>{one.will}</p>
            {hasHappened && (
              <>
                <Field label={words.externalId} hint={words.externalIdHint} value={externalId} onValue={setExternalId} />
                <Field label={words.result} hint={words.resultHint} lines={3} mono value={result} onValue={setResult} placeholder='{"id": "ch_1"}' />
                <Check label={words.compensate} hint={words.compensateHint} value={compensate} onValue={setCompensate} />
              </>
            )}
            <p class="muted small-text">{words.bound(review.revision, review.attempts)}</p>
          </>
        ),
        label: hasHappened && compensate ? words.undo : one.label,
        isDangerous: decision === "abandon",
        asksReason: true,
        run,
      }}
    />
  );
}

/** JSON as it was written, so that no number changes. */
function checked(result: string): string {
  try {
    parse(result);
    return result;
  } catch (failure) {
    throw new ApiProblem(0, "invalid-input", text.reviews.resultWrong((failure as Error).message));
  }
}

/** Says what is another now than when the person looked. */
async function changesOf(before: Review, problem: ApiProblem): Promise<string[]> {
  const found = [problem.message];
  try {
    const after = await call("GET /api/reviews/{id}", { path: { id: before.id } });
    const words = text.review.changed;
    const pairs: [string, unknown, unknown][] = [
      [words.state, text.status[before.state] ?? before.state, text.status[after.state] ?? after.state],
      [words.revision, before.revision, after.revision],
      [words.attempts, before.attempts, after.attempts],
      [words.evidence, before.evidence, after.evidence],
      [words.externalId, before.externalId, after.externalId],
      [words.request, print(before.request, 0), print(after.request, 0)],
    ];
    for (const [name, old, now] of pairs) if (old !== now) found.push(words.line(name, String(old ?? "–"), String(now ?? "–")));
  } catch {
    // the server's own words must do
  }
  return found;
}
