import { useEffect, useState } from "preact/hooks";
import { ApiProblem, call, type Answer } from "../../api/client.ts";
import { Facts } from "../../components/Facts.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

const words = text.start;
const ASK_AFTER = 300;

type Outlook = Answer<"POST /api/flows/{flow}/runs/check"> | ApiProblem | null;

/** Asks the server what a start would get, a moment after each change of the input. */
export function useOutlook(flow: string, isDraft: boolean, body: string | null, headers: Record<string, string>): Outlook {
  const [outlook, setOutlook] = useState<Outlook>(null);
  useEffect(() => {
    if (body === null) return;
    const control = new AbortController();
    const timer = setTimeout(() => {
      const query = isDraft ? { draft: "true" } : {};
      call("POST /api/flows/{flow}/runs/check", { path: { flow }, query, text: body, signal: control.signal }, headers)
        .then(setOutlook)
        .catch((failure: unknown) => !control.signal.aborted && setOutlook(failure instanceof ApiProblem ? failure : null));
    }, ASK_AFTER);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [flow, isDraft, body, headers]);
  return outlook;
}

const TONES: Record<string, string> = { new: "good", duplicate: "calm", "key-reused": "bad", "key-expired": "bad" };

/** Says before a start what its key is, and what it would get. */
export function StartOutlook({ of, isUnread }: { of: Outlook; isUnread: boolean }) {
  if (isUnread) return <p class="notice tone-warn">{text.form.notJson}</p>;
  if (of === null) return <p class="notice tone-quiet">{text.state.loading}</p>;
  if (of instanceof ApiProblem) {
    const problems = (of.members.problems ?? []) as string[];
    return (
      <div class="notice tone-warn outlook" role="status">
        <strong>{words.notYet}</strong>
        {problems.length ? (
          <ul>
            {problems.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        ) : (
          <p>{of.message}</p>
        )}
      </div>
    );
  }
  return (
    <div class={"notice outlook tone-" + (TONES[of.outcome] ?? "quiet")} role="status">
      <strong>{words.outcomes[of.outcome] ?? of.outcome}</strong>
      {of.key !== null ? <p class="outlook-key">{of.key}</p> : <p>{words.noKey}</p>}
      {of.difference && <p>{of.difference}</p>}
      <Facts
        of={[
          [words.release, of.release],
          [words.run, of.run && (of.outcome === "new" ? <span class="mono">{of.run}</span> : <a class="mono" href={link(pathTo("runs", of.run))}>{of.run}</a>)],
        ]}
      />
    </div>
  );
}
