import { useState } from "preact/hooks";
import { call } from "../api/client.ts";
import { may } from "../api/session.ts";
import { text } from "../text.ts";
import { Confirm } from "./Confirm.tsx";
import { toast } from "./Toasts.tsx";

/** What a run waits for, as far as it matters here. */
interface Pause {
  cause: string;
  until?: string | null;
}

/** Whether a run pauses before an attempt that a person may have at once. */
export function isPausing(waits: readonly Pause[], now = Date.now()): boolean {
  return waits.some((wait) => wait.cause === "retry" && !!wait.until && Date.parse(wait.until) > now);
}

/** Lets a run make its next attempts now. */
export function TryNow({ run, onChange, isSmall }: { run: string; onChange: () => void; isSmall?: boolean }) {
  const [isAsking, ask] = useState(false);
  const words = text.tryNow;
  if (!may("runs:write")) return null;
  return (
    <>
      <button type="button" class={"button " + (isSmall ? "small" : "primary")} onClick={() => ask(true)}>
        {words.label}
      </button>
      {isAsking && (
        <Confirm
          onClose={() => ask(false)}
          action={{
            title: words.title,
            says: words.says,
            label: words.label,
            run: async () => {
              await call("POST /api/runs/{id}/try-now", { path: { id: run } });
              toast(words.done);
              onChange();
            },
          }}
        />
      )}
    </>
  );
}
