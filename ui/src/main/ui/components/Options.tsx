import { useId } from "preact/hooks";

export interface Option {
  value: string;
  name: string;
  says: string;
}

/** One of a few choices, each with what it does. */
export function Options({ label, of, value, onValue }: { label: string; of: Option[]; value: string; onValue: (value: string) => void }) {
  const group = useId();
  return (
    <fieldset class="options">
      <legend>{label}</legend>
      {of.map((one) => (
        <label key={one.value} class="option">
          <input type="radio" name={group} value={one.value} checked={one.value === value} onChange={() => onValue(one.value)} />
          <span>
            <strong>{one.name}</strong>
            <small>{one.says}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
