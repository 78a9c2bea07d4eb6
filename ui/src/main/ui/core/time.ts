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
const minute = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const sameYear = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
const other = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" });
const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

/** Writes an instant in the viewer's zone, as short as it can be understood today. */
export function shortTime(instant: string, today = new Date()): string {
  const date = new Date(instant);
  if (date.toDateString() === today.toDateString()) return sameDay.format(date);
  return (date.getFullYear() === today.getFullYear() ? sameYear : other).format(date);
}

/** Writes an instant as {@link shortTime} does, without seconds. */
export function minuteTime(instant: string): string {
  const date = new Date(instant);
  return date.toDateString() === new Date().toDateString() ? minute.format(date) : shortTime(instant);
}

/** Writes the exact instant: in the viewer's zone, and as the server has it. */
export function exactTime(instant: string): string {
  return exactly.format(new Date(instant)) + "\n" + instant;
}

/** An instant or a length of time, as the server writes them in a sentence. */
const TOLD = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z|\bP(?:\d+D)?T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?(?![\w])|\bP\d+D\b/g;
const LENGTH = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/;

/** Writes the instants of a sentence in the viewer's zone, and its lengths of time in words. */
export function inWords(sentence: string): string {
  return sentence.replace(TOLD, (told) => {
    if (!told.startsWith("P")) return shortTime(told);
    const [, days, hours, minutes, seconds] = LENGTH.exec(told) ?? [];
    if (!days && !hours && !minutes && !seconds) return told;
    return duration((Number(days ?? 0) * 86_400 + Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * 1000);
  });
}

/** Reads what a field for a day and a time holds, in the viewer's zone; null if it holds none. */
export function instantOf(local: string): string | null {
  const date = new Date(local);
  return local === "" || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Writes an instant as a field for a day and a time wants it, in the viewer's zone. */
export function localOf(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
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
