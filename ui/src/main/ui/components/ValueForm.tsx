import { useState } from "preact/hooks";
import { Exact, parse, print, type Json } from "../core/json.ts";
import { text } from "../text.ts";
import { Check, Field } from "./Field.tsx";

/** A value that a person edits: JSON text, or why it is none. */
export type Edited = { json: string } | { problem: string };

interface Shown {
  /** What it begins as. */
  value: unknown;
  onEdit: (edited: Edited) => void;
}

const MOST_FIELDS = 40;

/**
 * A form made from a JSON object: one field for each member, by its type. Members that are lists or objects
 * are edited as JSON, and so can be the whole. No number changes unless a person changes it.
 */
export function ValueForm({ value, onEdit }: Shown) {
  const members = isObject(value) ? Object.entries(value) : null;
  const canForm = members !== null && members.length > 0 && members.length <= MOST_FIELDS;
  const [isForm, setForm] = useState(canForm);
  const [texts, setTexts] = useState<Record<string, string>>(() => Object.fromEntries((members ?? []).map(([name, one]) => [name, textOf(one)])));
  const [whole, setWhole] = useState(() => (value === undefined || value === null ? "" : print(value)));

  const editMember = (name: string, written: string) => {
    const next = { ...texts, [name]: written };
    setTexts(next);
    onEdit(together(members!, next));
  };
  const editWhole = (written: string) => {
    setWhole(written);
    onEdit(checked(written, text.desk.values));
  };
  const swap = () => {
    if (isForm) {
      const edited = together(members!, texts);
      editWhole("json" in edited ? print(parse(edited.json)) : whole);
    } else onEdit(together(members!, texts));
    setForm(!isForm);
  };
  return (
    <div class="values">
      {isForm ? (
        members!.map(([name, one]) =>
          typeof one === "boolean" ? (
            <Check key={name} label={name} value={texts[name] === "true"} onValue={(on) => editMember(name, String(on))} />
          ) : (
            <Field
              key={name}
              label={name}
              value={texts[name]!}
              onValue={(written) => editMember(name, written)}
              {...(isSimple(one) ? (isLong(one) ? { lines: 3 } : {}) : { lines: 4, mono: true })}
            />
          ),
        )
      ) : (
        <Field label={text.desk.values} lines={8} mono value={whole} onValue={editWhole} />
      )}
      {canForm && (
        <button type="button" class="link" onClick={swap}>
          {isForm ? text.desk.asJson : text.desk.asForm}
        </button>
      )}
    </div>
  );
}

function isObject(value: unknown): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Exact);
}

function isSimple(value: Json): boolean {
  return value === null || typeof value !== "object" || value instanceof Exact;
}

function isLong(value: Json): boolean {
  return typeof value === "string" && (value.length > 60 || value.includes("\n"));
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : value === null ? "" : print(value);
}

/** Writes the object as JSON: a text stays a text, everything else is JSON; an empty null stays null. */
function together(members: [string, Json][], texts: Record<string, string>): Edited {
  const parts: string[] = [];
  for (const [name, was] of members) {
    const written = texts[name]!;
    let json: string;
    if (typeof was === "string") json = JSON.stringify(written);
    else if (was === null) json = written === "" ? "null" : JSON.stringify(written);
    else {
      const one = checked(written, name);
      if ("problem" in one) return one;
      json = one.json;
    }
    parts.push(JSON.stringify(name) + ":" + json);
  }
  return { json: "{" + parts.join(",") + "}" };
}

function checked(written: string, name: string): Edited {
  if (written.trim() === "") return { json: "null" };
  try {
    parse(written);
    return { json: written };
  } catch (failure) {
    return { problem: text.desk.jsonWrong(name, (failure as Error).message) };
  }
}
