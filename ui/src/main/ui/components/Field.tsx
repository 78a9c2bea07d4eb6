import type { ComponentChildren, JSX } from "preact";

interface Shown {
  label: string;
  hint?: ComponentChildren;
  value: string;
  onValue: (value: string) => void;
  /** How many lines it has; one unless given. */
  lines?: number;
  type?: string;
  required?: boolean;
  placeholder?: string;
  mono?: boolean;
}

/** A labeled text that a person writes. */
export function Field({ label, hint, value, onValue, lines, type, required, placeholder, mono }: Shown) {
  const onInput = (event: JSX.TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) => onValue(event.currentTarget.value);
  return (
    <label class="field">
      <span>{label}</span>
      {lines ? (
        <textarea class={mono ? "" : "prose"} rows={lines} value={value} required={required} placeholder={placeholder} spellcheck={!mono} onInput={onInput} />
      ) : (
        <input type={type ?? "text"} value={value} required={required} placeholder={placeholder} autoComplete="off" onInput={onInput} />
      )}
      {hint && <small>{hint}</small>}
    </label>
  );
}

/** A labeled box that is ticked or not. */
export function Check({ label, hint, value, onValue }: { label: string; hint?: string; value: boolean; onValue: (value: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => onValue(event.currentTarget.checked)} />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  );
}
