import { Store, useStore } from "../core/store.ts";

interface Toast {
  id: number;
  says: string;
  tone: "good" | "bad";
}

const SHOWN = 4000;
const toasts = new Store<Toast[]>([]);
let next = 0;

/** Says something for a moment; screen readers say it, too. */
export function toast(says: string, tone: Toast["tone"] = "good"): void {
  const one = { id: next++, says, tone };
  toasts.update((all) => [...all, one]);
  setTimeout(() => toasts.update((all) => all.filter((other) => other !== one)), SHOWN);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {useStore(toasts).map((one) => (
        <p key={one.id} class={"toast tone-" + one.tone}>
          {one.says}
        </p>
      ))}
    </div>
  );
}
