import { setQuery, usePlace } from "../core/router.ts";
import { TextFilter } from "./TextFilter.tsx";

/** A filter of a list: a text, or one of some values. It is an entry of the page's query. */
export function FilterBox({ name, label, options }: { name: string; label: string; options?: [value: string, name: string][] }) {
  const value = usePlace().query.get(name) ?? "";
  if (!options) return <TextFilter label={label} value={value} onValue={(next) => setQuery({ [name]: next })} />;
  return (
    <label>
      <span class="sr">{label}</span>
      <select value={value} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
        <option value="">{label}</option>
        {options.map(([one, shown]) => (
          <option key={one} value={one}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  );
}
