import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { problemFrom } from "../api/client.ts";
import { text } from "../text.ts";
import { Dialog } from "./Dialog.tsx";
import { Refusal } from "./Refusal.tsx";
import { toast } from "./Toasts.tsx";

/** An action as a person is asked about it: it says what it will do before it does it. */
export interface Action {
  title: string;
  /** What it will do, and what it will not. */
  says: ComponentChildren;
  /** The words on the button. */
  label: string;
  isDangerous?: boolean;
  /** Whether the server wants a reason. */
  asksReason?: boolean;
  /** Does it; throws the server's refusal, which stays beside the button. */
  run: (reason: string) => Promise<void>;
}

/**
 * Asks about an action, and does it.
 *
 * @param stays whether it stays open afterwards: the one who asked closes it
 */
export function Confirm({ action, onClose, stays }: { action: Action; onClose: () => void; stays?: boolean }) {
  const [reason, setReason] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const isGone = useRef(false);
  useEffect(() => () => void (isGone.current = true), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await action.run(reason);
      if (!stays && !isGone.current) onClose();
    } catch (failure) {
      if (isGone.current) return toast(problemFrom(failure).message, "bad");
      setProblem(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={action.title} onClose={onClose} isHeld={isBusy}>
      <form onSubmit={submit}>
        <div class="dialog-says">{action.says}</div>
        {action.asksReason && (
          <label class="field">
            <span>{text.dialog.reason}</span>
            <input value={reason} required maxLength={1000} onInput={(event) => setReason(event.currentTarget.value)} />
            <small>{text.dialog.reasonHint}</small>
          </label>
        )}
        {problem !== null && <Refusal of={problem} />}
        <div class="dialog-actions">
          <button type="button" class="button" disabled={isBusy} onClick={onClose}>
            {text.dialog.cancel}
          </button>
          <button class={"button " + (action.isDangerous ? "danger" : "primary")} disabled={isBusy}>
            {action.label}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
