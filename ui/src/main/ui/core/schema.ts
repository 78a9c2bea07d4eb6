import { Exact, parse, print } from "./json.ts";

/** A JSON Schema, as far as a form can be made of it. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  $ref?: string;
  $defs?: Record<string, Schema>;
  [keyword: string]: unknown;
}

/** How a value is asked for. json: as text, where a form would not be honest. */
export type Kind = "text" | "number" | "integer" | "choice" | "yes-no" | "list" | "object" | "json";

const UNCLEAR = ["oneOf", "anyOf", "allOf", "not", "if", "patternProperties", "prefixItems"];
const DEEPEST = 6;

/** Follows a reference inside the same schema; other references stay as they are. */
export function resolved(schema: Schema, root: Schema): Schema {
  let now = schema;
  for (let i = 0; i < 20 && typeof now.$ref === "string"; i++) {
    const parts = now.$ref.startsWith("#/") ? now.$ref.slice(2).split("/") : null;
    const found = parts?.reduce<unknown>(
      (at, part) => (at as Record<string, unknown> | undefined)?.[part.replaceAll("~1", "/").replaceAll("~0", "~")],
      root,
    );
    if (found === null || typeof found !== "object") return now;
    now = found as Schema;
  }
  return now;
}

export function kindOf(schema: Schema, depth = 0): Kind {
  if (depth > DEEPEST || schema.$ref !== undefined || UNCLEAR.some((word) => schema[word] !== undefined)) return "json";
  if (Array.isArray(schema.enum)) return "choice";
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => type !== "null");
  if (types.length !== 1) return schema.properties && types[0] === undefined ? "object" : "json";
  switch (types[0]) {
    case "string":
      return "text";
    case "number":
    case "integer":
      return types[0];
    case "boolean":
      return "yes-no";
    case "array":
      return schema.items && typeof schema.items === "object" ? "list" : "json";
    case "object":
      return schema.properties ? "object" : "json";
    default:
      return schema.properties ? "object" : "json";
  }
}

/** The value that a form begins with; undefined where there is none yet. */
export function beginning(schema: Schema, root: Schema, depth = 0): unknown {
  const now = resolved(schema, root);
  if (now.default !== undefined) return now.default;
  if (now.const !== undefined) return now.const;
  if (kindOf(now, depth) !== "object") return undefined;
  const entries = Object.entries(now.properties ?? {}).flatMap(([name, inner]) => {
    const value = (now.required ?? []).includes(name) || resolved(inner, root).default !== undefined ? beginning(inner, root, depth + 1) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Reads a number as it was written; a text that is none stays a text, which the server refuses in words. */
export function numberOf(text: string): unknown {
  const bare = text.trim();
  if (bare === "") return undefined;
  return NUMBER.test(bare) ? new Exact(bare) : text;
}

/** Reads JSON that a person writes; undefined if it is none yet. */
export function jsonOf(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Writes a value as JSON on one line, for the server. */
export function written(value: unknown): string {
  return print(without(value), 0);
}

/** Leaves out what has no value: a field that a person has left empty is not there. */
export function without(value: unknown): unknown {
  if (value instanceof Exact || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((one) => (one === undefined ? null : without(one)));
  return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [[name, without(one)]])));
}
