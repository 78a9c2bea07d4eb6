import { useLayoutEffect } from "preact/hooks";
import { Store } from "./store.ts";

/** A shortcut: one key such as "j", or two in order such as "g r". */
export interface Shortcut {
  keys: string;
  does: string;
  run: () => void;
}

/** The shortcuts that hold now, the newest last: of the layout, and of the page that is shown. */
export const shortcuts = new Store<Shortcut[]>([]);

const PAIR_WITHIN = 1200;
let first: { key: string; at: number } | null = null;

/** Adds shortcuts while a component is shown: at once, so that no key is lost that follows the first sight of it. */
export function useShortcuts(list: Shortcut[], depends: unknown[] = []): void {
  useLayoutEffect(() => {
    shortcuts.update((all) => [...all, ...list]);
    return () => shortcuts.update((all) => all.filter((one) => !list.includes(one)));
  }, depends);
}

/** Boxes that are ticked take no letters. */
const WRITTEN = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]";
/** What Enter is for already. */
const PRESSED = "a[href], button, summary, input[type=button], input[type=submit]";

export function isTyping(target: EventTarget | null): boolean {
  return isIn(target, WRITTEN);
}

function isIn(target: EventTarget | null, selector: string): boolean {
  return !!(target as HTMLElement | null)?.closest?.(selector);
}

export function startKeys(): void {
  document.addEventListener("keydown", (event) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (modified || event.defaultPrevented || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && isIn(event.target, PRESSED)) return;
    const pair = first && Date.now() - first.at < PAIR_WITHIN ? first.key + " " + event.key : null;
    const found = find(pair) ?? find(event.key);
    first = null;
    if (found) {
      event.preventDefault();
      found.run();
    } else if (shortcuts.get().some((one) => one.keys.startsWith(event.key + " "))) {
      first = { key: event.key, at: Date.now() };
    }
  });
}

function find(keys: string | null): Shortcut | undefined {
  return keys === null ? undefined : shortcuts.get().findLast((one) => one.keys === keys);
}
