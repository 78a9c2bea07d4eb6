import { useState } from "preact/hooks";
import { problemFrom, type ApiProblem } from "../api/client.ts";
import { bytes } from "../core/format.ts";
import { text } from "../text.ts";
import { JsonView } from "./JsonView.tsx";
import { Refusal } from "./Refusal.tsx";

/** A payload that may have been left out because it is large: its size, and its content when it is opened. */
export function Payload({ title, value, left, load }: { title: string; value: unknown; left: number | null | undefined; load: () => Promise<unknown> }) {
  const [loaded, setLoaded] = useState<{ value: unknown } | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  if (!left) return <JsonView title={title} value={value} />;
  const open = (isOpen: boolean) => {
    if (!isOpen || loaded) return;
    setProblem(null);
    load().then(
      (whole) => setLoaded({ value: whole }),
      (failure: unknown) => setProblem(problemFrom(failure)),
    );
  };
  return (
    <details class="payload" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        {title} <span class="muted">{bytes(left)}</span>
      </summary>
      {problem ? <Refusal of={problem} /> : loaded ? <JsonView title={title} value={loaded.value} isOpen /> : <p class="loading">{text.state.loading}</p>}
    </details>
  );
}
