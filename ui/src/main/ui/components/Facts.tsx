import type { ComponentChildren } from "preact";

/** Names and values side by side; those without a value are left out. */
export function Facts({ of }: { of: [name: string, value: ComponentChildren][] }) {
  return (
    <dl class="fact-list">
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
