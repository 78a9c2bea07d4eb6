import { setQuery, usePlace } from "../core/router.ts";

/** A filter of a list: a text, or one of some values. It is an entry of the page's query. */
export function FilterBox({ name, label, options, type }: { name: string; label: string; options?: [value: string, name: string][]; type?: string }) {
  const value = usePlace().query.get(name) ?? "";
  const onChange = (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) => setQuery({ [name]: event.currentTarget.value });
  return (
    <label>
      <span class="sr">{label}</span>
      {options ? (
        <select value={value} onChange={onChange}>
          <option value="">{label}</option>
          {options.map(([one, shown]) => (
            <option key={one} value={one}>
              {shown}
            </option>
          ))}
        </select>
      ) : (
        <input type={type ?? "search"} placeholder={label} value={value} onChange={onChange} />
      )}
    </label>
  );
}
