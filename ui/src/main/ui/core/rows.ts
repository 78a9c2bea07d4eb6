import type { Ref } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { text } from "../text.ts";
import { useShortcuts, type Shortcut } from "./keys.ts";
import { go, usePlace } from "./router.ts";

/** The row that a person has chosen, by the place that it leads to: other rows may come before it. */
export interface Chosen {
  place: string;
  at: number;
}

/** Returns where the chosen row is now; -1 if it is gone, or if none was chosen. */
export function rowOf(chosen: Chosen | null, places: readonly string[]): number {
  if (!chosen) return -1;
  return places[chosen.at] === chosen.place ? chosen.at : places.indexOf(chosen.place);
}

/** Chooses the next row or the one before. If the chosen one is gone, the row that took its place is the next. */
export function stepped(chosen: Chosen | null, places: readonly string[], step: 1 | -1): Chosen | null {
  const row = rowOf(chosen, places);
  const from = row < 0 && chosen ? chosen.at - (step > 0 ? 1 : 0) : row;
  const at = Math.max(0, Math.min(from + step, places.length - 1));
  return places.length ? { place: places[at]!, at } : null;
}

export interface Rows {
  /** Which row is chosen; -1 for none. */
  selected: number;
  /** The element whose children are the rows, so that the chosen one is seen. */
  list: Ref<any>;
}

/**
 * Lets keys walk through rows that are links: j, k and Enter.
 *
 * @param others further keys, each for the place of the chosen row
 */
export function useRows(places: readonly string[], others: (Omit<Shortcut, "run"> & { run: (row: number) => void })[] = []): Rows {
  const [chosen, choose] = useState<Chosen | null>(null);
  const list = useRef<HTMLElement>(null);
  const now = useRef({ places, chosen, others }); // a key may come before the component was drawn again
  now.current.places = places;
  now.current.others = others;
  const query = usePlace().query.toString();
  useEffect(() => {
    now.current.chosen = null; // another filter: another list
    choose(null);
  }, [query]);
  const select = (step: 1 | -1) => {
    now.current.chosen = stepped(now.current.chosen, now.current.places, step);
    choose(now.current.chosen);
    // Enter is for the row from here on, and not for what had the focus; Tab still goes on from there
    (document.activeElement as HTMLElement | null)?.blur();
  };
  const atRow = (run: (row: number) => void) => {
    const row = rowOf(now.current.chosen, now.current.places);
    if (row >= 0) run(row);
  };
  useShortcuts(
    places.length === 0
      ? []
      : [
          { keys: "j", does: text.keys.down, run: () => select(1) },
          { keys: "k", does: text.keys.up, run: () => select(-1) },
          { keys: "Enter", does: text.keys.open, run: () => atRow((row) => go(now.current.places[row]!)) },
          ...others.map((one, i) => ({ ...one, run: () => atRow((row) => now.current.others[i]!.run(row)) })),
        ],
    [places.length === 0],
  );
  const selected = rowOf(chosen, places);
  useEffect(() => list.current?.children[selected]?.scrollIntoView({ block: "nearest" }), [selected]);
  return { selected, list };
}
