import { Store } from "./store.ts";

/** A preference of this browser. A browser that refuses to keep it forgets it at the next load. */
export function kept<T>(name: string, initial: T): Store<T> {
  const key = "hapax." + name;
  let value = initial;
  try {
    const text = localStorage.getItem(key);
    if (text !== null) value = JSON.parse(text) as T;
  } catch {
    // nothing was kept
  }
  const store = new Store(value);
  store.follow(() => {
    try {
      localStorage.setItem(key, JSON.stringify(store.get()));
    } catch {
      // it holds until the page is closed
    }
  });
  return store;
}
