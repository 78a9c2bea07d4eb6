import { duration } from "./format.ts";
import { Store } from "./store.ts";

/** Ticks once a second while a page is seen, for times such as "3 s ago". */
export const now = new Store(Date.now());

if (typeof document !== "undefined") {
  setInterval(() => {
    if (document.visibilityState === "visible") now.set(Date.now());
  }, 1000);
}

const sameDay = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const sameYear = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
const other = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" });
const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** Writes an instant in the viewer's zone, as short as it can be understood today. */
export function shortTime(instant: string, today = new Date()): string {
  const date = new Date(instant);
  if (date.toDateString() === today.toDateString()) return sameDay.format(date);
  return (date.getFullYear() === today.getFullYear() ? sameYear : other).format(date);
}

/** Writes the exact instant: in the viewer's zone, and as the server has it. */
export function exactTime(instant: string): string {
  return exactly.format(new Date(instant)) + "\n" + instant;
}

/** Writes how long ago an instant was, or how far ahead it is. */
export function relative(instant: string, at: number): string {
  const away = new Date(instant).getTime() - at;
  if (Math.abs(away) < 1500) return "now";
  const span = duration(Math.round(Math.abs(away) / 1000) * 1000).replace(/(\d+)\.0 s/, "$1 s");
  return away > 0 ? "in " + span : span + " ago";
}

export function between(from: string, to: string | number): string {
  return duration((typeof to === "number" ? to : new Date(to).getTime()) - new Date(from).getTime());
}
