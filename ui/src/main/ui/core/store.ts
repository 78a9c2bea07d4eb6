import { useEffect, useState } from "preact/hooks";

/** A value that components follow. */
export class Store<T> {
  private readonly listeners = new Set<() => void>();

  constructor(private value: T) {}

  get(): T {
    return this.value;
  }

  set(next: T): void {
    if (next === this.value) return;
    this.value = next;
    for (const listener of [...this.listeners]) listener();
  }

  update(change: (now: T) => T): void {
    this.set(change(this.value));
  }

  /** Returns what ends it. */
  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** Returns the value of a store, and draws the component again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, again] = useState(0);
  const drawn = store.get();
  useEffect(() => {
    const draw = () => again((n) => n + 1);
    if (store.get() !== drawn) draw(); // it changed after it was drawn, and before it is followed
    return store.follow(draw);
  }, [store]);
  return drawn;
}
