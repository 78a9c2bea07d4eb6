/** A number as it was written, where JavaScript would change it: 9007199254740993, 40.00. */
export class Exact {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export type Json = null | boolean | number | string | Exact | Json[] | { [name: string]: Json };

type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown;

/** Reads JSON without changing a number. Browsers before 2025 show large numbers as they can. */
export function parse(text: string): unknown {
  const exact: Reviver = (_, value, context) =>
    typeof value === "number" && context?.source !== undefined && String(value) !== context.source
      ? new Exact(context.source)
      : value;
  return JSON.parse(text, exact as (name: string, value: unknown) => unknown);
}

/** Writes JSON for people, with numbers as they were. */
export function print(value: unknown, indent = 2): string {
  return lines(value, indent, "");
}

function lines(value: unknown, indent: number, margin: string): string {
  if (value instanceof Exact) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const inner = margin + " ".repeat(indent);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => lines(one, indent, inner))
    : Object.entries(value).map(([name, one]) => JSON.stringify(name) + ": " + lines(one, indent, inner));
  const [open, close] = isList ? "[]" : "{}";
  if (parts.length === 0) return open! + close!;
  return indent === 0 ? open + parts.join(", ") + close : open + "\n" + inner + parts.join(",\n" + inner) + "\n" + margin + close;
}

const TURNS = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Writes characters that are not seen, or that turn the text around them, as JSON may write them. */
export function plain(json: string): string {
  return json.replace(TURNS, (one) => "\\u" + one.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** Writes the first members of a value in one short line; what is large is never read to its end. */
export function glimpse(value: unknown, leaveOut: string, most = 140): string {
  if (value === null || typeof value !== "object" || value instanceof Exact) return cut(value, most);
  const parts: string[] = [];
  let length = 0;
  for (const name in value) {
    const one = (value as Record<string, unknown>)[name];
    if (one === null || one === leaveOut || (typeof one === "object" && !Array.isArray(one) && !(one instanceof Exact))) continue;
    const part = name.slice(0, most) + ": " + (Array.isArray(one) ? `[${one.length}]` : cut(one, most - length));
    parts.push(part);
    length += part.length;
    if (length >= most) break;
  }
  return parts.join(" · ");
}

function cut(value: unknown, most: number): string {
  const text = value === null || value === undefined ? "" : typeof value === "string" ? value : String(value);
  return text.length > most ? text.slice(0, Math.max(0, most)) + "…" : text;
}

/** Returns the bytes that a value has as compact JSON, about. */
export function size(value: unknown): number {
  return new TextEncoder().encode(print(value, 0)).length;
}
