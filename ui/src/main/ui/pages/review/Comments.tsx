import { useState } from "preact/hooks";
import { ApiProblem, call } from "../../api/client.ts";
import { may, session } from "../../api/session.ts";
import { Field } from "../../components/Field.tsx";
import { Time } from "../../components/Time.tsx";
import { text } from "../../text.ts";
import type { Review } from "./ReviewPage.tsx";

/** Who works on a review, and what people have said about it. */
export function Comments({ review, onChange }: { review: Review; onChange: () => void }) {
  const [said, setSaid] = useState("");
  const [assignee, setAssignee] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const words = text.review;
  const path = { id: review.id };
  const own = session.get()?.name ?? "";

  const send = async (change: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(null);
    try {
      await change();
      onChange();
      return true;
    } catch (failure) {
      setProblem(failure instanceof ApiProblem ? failure.message : String(failure));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const assign = async (person: string | null) => {
    if (await send(() => call("POST /api/reviews/{id}/assign", { path, body: { assignee: person } }))) setAssignee(null);
  };
  const comment = async (event: Event) => {
    event.preventDefault();
    if (await send(() => call("POST /api/reviews/{id}/comments", { path, body: { text: said } }))) setSaid("");
  };

  return (
    <section class="comments">
      <h2>{words.people}</h2>
      <p class="comments-assignee">
        <span>{review.assignee ? words.assigned(review.assignee) : words.unassigned}</span>
        {may("effects:settle") && assignee === null && (
          <>
            {review.assignee !== own && (
              <button type="button" class="button small" disabled={isBusy} onClick={() => void assign(own)}>
                {words.take}
              </button>
            )}
            <button type="button" class="button small" onClick={() => setAssignee(review.assignee ?? "")}>
              {words.assign}
            </button>
          </>
        )}
      </p>
      {assignee !== null && (
        <form
          class="comments-assign"
          onSubmit={(event) => {
            event.preventDefault();
            void assign(assignee.trim() || null);
          }}
        >
          <Field label={words.assignee} hint={words.assigneeHint} value={assignee} onValue={setAssignee} />
          <span class="comments-buttons">
            <button type="button" class="button small" onClick={() => setAssignee(null)}>
              {text.dialog.cancel}
            </button>
            <button class="button small primary" disabled={isBusy}>
              {words.assign}
            </button>
          </span>
        </form>
      )}
      <ul>
        {(review.comments ?? []).map((one) => (
          <li key={one.at + one.by} class="comment">
            <p class="small-text">
              <strong>{one.by}</strong>{" "}
              <span class="muted">
                <Time at={one.at} isRelative />
              </span>
            </p>
            <p class="comment-text">{one.text}</p>
          </li>
        ))}
      </ul>
      {may("effects:settle") && (
        <form class="comments-assign" onSubmit={comment}>
          <Field label={words.comment} lines={2} value={said} onValue={setSaid} required />
          <span class="comments-buttons">
            <button class="button small" disabled={isBusy || !said.trim()}>
              {words.send}
            </button>
          </span>
        </form>
      )}
      {problem && (
        <p class="notice tone-bad" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
