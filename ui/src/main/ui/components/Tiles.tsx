import { number } from "../core/format.ts";
import { setQuery, usePlace } from "../core/router.ts";

export interface Tile {
  /** The value in the query of the page. */
  value: string;
  name: string;
  count: number;
  hint?: string;
  tone?: string;
}

/** Counts that limit the list below: one of them is chosen, by the query of the page, or none. */
export function Tiles({ name, of, label }: { name: string; of: Tile[]; label: string }) {
  const chosen = usePlace().query.get(name);
  return (
    <div class="tiles" role="group" aria-label={label}>
      {of.map((tile) => (
        <button
          type="button"
          key={tile.value}
          class={"tile tone-" + (tile.tone ?? "quiet") + (tile.count === 0 ? " none" : "")}
          aria-pressed={chosen === tile.value}
          onClick={() => setQuery({ [name]: chosen === tile.value ? null : tile.value })}
        >
          <span class="tile-count">{number(tile.count)}</span>
          <span class="tile-name">{tile.name}</span>
          {tile.hint && <span class="tile-hint">{tile.hint}</span>}
        </button>
      ))}
    </div>
  );
}
