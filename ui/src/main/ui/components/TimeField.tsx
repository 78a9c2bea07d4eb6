import { useId } from "preact/hooks";
import { instantOf, localOf } from "../core/time.ts";

/** Asks for an instant, in the viewer's zone; its value is the instant as the server takes it, or empty. */
export function TimeField({ label, hint, value, onValue, required }: { label: string; hint?: string; value: string; onValue: (instant: string) => void; required?: boolean }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        required={required}
        value={value ? localOf(value) : ""}
        onInput={(event) => onValue(instantOf(event.currentTarget.value) ?? "")}
      />
      {hint && <small>{hint}</small>}
    </div>
  );
}
