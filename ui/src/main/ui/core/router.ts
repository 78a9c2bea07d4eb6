import { base } from "./place.ts";
import { Store, useStore } from "./store.ts";

/** The URL is the state: what a page shows follows from its path and its query alone. */
export interface Place {
  path: string;
  query: URLSearchParams;
}

function here(): Place {
  const path = location.pathname.slice(base.length) || "/";
  return { path, query: new URLSearchParams(location.search) };
}

const place = new Store<Place>(typeof location === "undefined" ? { path: "/", query: new URLSearchParams() } : here());

/** Returns where the browser is, and draws again when that changes. */
export function usePlace(): Place {
  return useStore(place);
}

export function currentPlace(): Place {
  return place.get();
}

export type Query = Record<string, string | number | boolean | null | undefined>;

/** Returns a path with a query; entries without a value are left out. */
export function link(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "" && value !== false) search.set(name, String(value));
  }
  const text = search.toString();
  return base + path + (text ? "?" + text : "");
}

/** Fills the parameters of a path: segments are encoded, so any key is one segment. */
export function pathTo(...segments: string[]): string {
  return "/" + segments.map(encodeURIComponent).join("/");
}

/** Goes to an address made by {@link link}. */
export function go(href: string, replace = false): void {
  if (replace) history.replaceState(history.state, "", href);
  else history.pushState({}, "", href);
  place.set(here());
  if (!replace) window.scrollTo(0, 0);
}

/** Changes entries of the query of this page, and stays where it is; no value removes one. */
export function setQuery(change: Query, replace = false): void {
  const { path, query } = here();
  const href = link(path, { ...Object.fromEntries(query), ...change });
  if (href === link(path, Object.fromEntries(query))) return; // Back would lead to the same
  if (replace) history.replaceState(history.state, "", href);
  else history.pushState({}, "", href);
  place.set(here());
}

/** Follows the browser's buttons, and takes clicks on our own links. */
export function startRouter(): void {
  addEventListener("popstate", () => place.set(here()));
  document.addEventListener("click", (event) => {
    const anchor = (event.target as Element).closest?.("a[href]") as HTMLAnchorElement | null;
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!anchor || !isPlain || anchor.target || anchor.hasAttribute("download") || event.defaultPrevented) return;
    if (anchor.origin !== location.origin || anchor.pathname.startsWith(base + "/api/")) return;
    event.preventDefault();
    go(anchor.href.slice(location.origin.length));
  });
}

/** Returns the parameters of a path that matches a pattern such as /runs/:id; null if it does not. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const expected = pattern.split("/").filter(Boolean);
  const given = path.split("/").filter(Boolean);
  const isOpen = expected.at(-1) === "*";
  if (!isOpen && expected.length !== given.length) return null;
  const found: Record<string, string> = {};
  for (let i = 0; i < expected.length; i++) {
    const part = expected[i]!;
    if (part === "*") return found;
    const value = given[i];
    if (value === undefined) return null;
    if (part.startsWith(":")) {
      try {
        found[part.slice(1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    } else if (part !== value) return null;
  }
  return found;
}
