import type { ApiProblem } from "../api/client.ts";
import { text } from "../text.ts";
import { Empty } from "./Empty.tsx";

/** A refusal of the server in the place of what it would have shown. */
export function Problem({ of, onRetry }: { of: ApiProblem; onRetry?: () => void }) {
  if (of.status === 404) return <Empty title={text.state.missing} hint={of.message} />;
  const scope = typeof of.members.scope === "string" ? of.members.scope : null;
  return (
    <div class="empty" role="alert">
      <h2>{text.state.failed}</h2>
      <p>{scope ? text.state.forbidden(scope) : of.status === 0 ? text.state.unreachable : of.message}</p>
      {onRetry && !scope && (
        <button type="button" class="button" onClick={onRetry}>
          {text.state.retry}
        </button>
      )}
    </div>
  );
}
