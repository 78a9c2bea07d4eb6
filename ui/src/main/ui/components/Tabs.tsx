import "./table.css";
import { link, usePlace } from "../core/router.ts";

/** Parts of a page, by its query: the first one has no entry in it. */
export function Tabs({ label, of }: { label: string; of: [value: string, name: string][] }) {
  const { path, query } = usePlace();
  const chosen = query.get("tab") ?? of[0]![0];
  return (
    <nav class="tabs" aria-label={label}>
      {of.map(([value, name], i) => (
        <a key={value} href={link(path, { tab: i === 0 ? null : value })} aria-current={chosen === value ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
