import { useEffect } from "preact/hooks";
import { Store } from "../core/store.ts";

/** What the page is about, for its tab and for the history; null if its kind says it all. */
export const about = new Store<string | null>(null);

const LONGEST = 80;

/** Names the page that is shown: tabs of many runs are told apart. */
export function Title({ of }: { of: string }) {
  useEffect(() => {
    about.set(of.length > LONGEST ? of.slice(0, LONGEST) + "…" : of);
    return () => about.set(null);
  }, [of]);
  return null;
}
