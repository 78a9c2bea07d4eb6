import { useEffect, useState } from "preact/hooks";

/** A text that limits a list, once it is entered. What is being typed stays while the list is read anew. */
export function TextFilter({ label, value, onValue }: { label: string; value: string; onValue: (value: string) => void }) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  return (
    <label>
      <span class="sr">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={draft}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  );
}
