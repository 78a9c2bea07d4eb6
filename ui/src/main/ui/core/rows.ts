import { useEffect, useRef, useState } from "preact/hooks";
import { text } from "../text.ts";
import { useShortcuts } from "./keys.ts";
import { go } from "./router.ts";

/** Lets keys walk through rows that are links: j, k and Enter. Returns the row that is chosen; -1 for none. */
export function useRows(places: string[]): number {
  const [selected, setSelected] = useState(-1);
  const at = useRef(-1); // a key may come before the component was drawn again
  const select = (row: number) => {
    at.current = Math.max(-1, Math.min(row, places.length - 1));
    setSelected(at.current);
  };
  useShortcuts(
    [
      { keys: "j", does: text.keys.down, run: () => select(at.current + 1) },
      { keys: "k", does: text.keys.up, run: () => select(Math.max(0, at.current - 1)) },
      { keys: "Enter", does: text.keys.open, run: () => at.current >= 0 && go(places[at.current]!) },
    ],
    [places.join(" ")],
  );
  useEffect(() => document.querySelector(".rows > .selected")?.scrollIntoView({ block: "nearest" }), [selected]);
  return selected;
}
