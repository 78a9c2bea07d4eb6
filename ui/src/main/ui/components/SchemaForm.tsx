import "./schema-form.css";
import { useId, useState } from "preact/hooks";
import { print } from "../core/json.ts";
import { jsonOf, kindOf, numberOf, resolved, without, type Schema } from "../core/schema.ts";
import { text } from "../text.ts";

interface Shown {
  schema: Schema;
  value: unknown;
  onValue: (value: unknown) => void;
}

/** Fields for a value by its JSON Schema. Where a form cannot say it, the value is written as JSON. */
export function SchemaForm({ schema, value, onValue }: Shown) {
  return <Part schema={schema} root={schema} value={value} onValue={onValue} name="" depth={0} isRequired />;
}

interface PartShown extends Shown {
  root: Schema;
  name: string;
  depth: number;
  isRequired: boolean;
}

function Part(shown: PartShown) {
  const schema = resolved(shown.schema, shown.root);
  const part = { ...shown, schema };
  switch (kindOf(schema, shown.depth)) {
    case "object":
      return <Members {...part} />;
    case "list":
      return <Items {...part} />;
    case "json":
      return <RawJson {...part} />;
    default:
      return <Single {...part} />;
  }
}

function labelOf({ schema, name }: PartShown): string {
  return schema.title ?? name;
}

function Members(shown: PartShown) {
  const { schema, root, depth, onValue } = shown;
  const value = (shown.value ?? {}) as Record<string, unknown>;
  const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => (
    <Part
      key={name}
      name={name}
      schema={inner}
      root={root}
      depth={depth + 1}
      value={Object.hasOwn(value, name) ? value[name] : undefined}
      isRequired={(schema.required ?? []).includes(name)}
      onValue={(next) => onValue({ ...value, [name]: next })}
    />
  ));
  if (depth === 0) return <div class="schema-form">{fields}</div>;
  return (
    <fieldset class="schema-group">
      <legend>
        {labelOf(shown)} <Mark {...shown} />
      </legend>
      {schema.description && <small>{schema.description}</small>}
      {fields}
    </fieldset>
  );
}

function Items(shown: PartShown) {
  const { schema, root, depth, onValue } = shown;
  const values = Array.isArray(shown.value) ? (shown.value as unknown[]) : [];
  const put = (i: number, next: unknown) => onValue(values.map((one, n) => (n === i ? next : one)));
  const remove = (i: number) => {
    const left = values.filter((_, n) => n !== i);
    onValue(left.length || shown.isRequired ? left : undefined);
  };
  return (
    <fieldset class="schema-group">
      <legend>
        {labelOf(shown) || text.form.items} <Mark {...shown} />
      </legend>
      {schema.description && <small>{schema.description}</small>}
      {values.map((one, i) => (
        <div class="schema-item" key={i}>
          <Part schema={schema.items!} root={root} depth={depth + 1} name={String(i + 1)} value={one} isRequired onValue={(next) => put(i, next)} />
          <button type="button" class="button small" onClick={() => remove(i)} aria-label={text.form.remove(i + 1)}>
            ×
          </button>
        </div>
      ))}
      <button type="button" class="button small schema-add" onClick={() => onValue([...values, undefined])}>
        {text.form.add}
      </button>
    </fieldset>
  );
}

function Single(shown: PartShown) {
  const { schema, value, onValue, isRequired } = shown;
  const kind = kindOf(schema, shown.depth);
  const id = useId();
  const choices: unknown[] | null = kind === "choice" ? schema.enum! : kind === "yes-no" ? [true, false] : null;
  const now = value === undefined ? "" : typeof value === "string" ? value : print(value, 0);
  return (
    <div class="field">
      <label for={id}>
        {labelOf(shown)} <Mark {...shown} />
      </label>
      {choices ? (
        <select
          id={id}
          value={value === undefined ? "" : String(choices.findIndex((one) => print(one, 0) === print(value, 0)))}
          onChange={(event) => onValue(event.currentTarget.value === "" ? undefined : choices[Number(event.currentTarget.value)])}
        >
          <option value="">{isRequired ? text.form.choose : text.form.none}</option>
          {choices.map((one, i) => (
            <option key={i} value={String(i)}>
              {one === true ? text.form.yes : one === false ? text.form.no : typeof one === "string" ? one : print(one, 0)}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type={kind === "text" && schema.format === "date" ? "date" : "text"}
          inputMode={kind === "text" ? undefined : "decimal"}
          autoComplete="off"
          spellcheck={false}
          required={isRequired}
          value={now}
          onInput={(event) => {
            const given = event.currentTarget.value;
            onValue(kind !== "text" ? numberOf(given) : given === "" ? undefined : given);
          }}
        />
      )}
      {schema.description && <small>{schema.description}</small>}
    </div>
  );
}

/** A value as JSON, kept as it is written until it can be read. */
export function RawJson(shown: PartShown & { onDraft?: (draft: string) => void }) {
  const [draft, setDraft] = useState(shown.value === undefined ? "" : print(without(shown.value)));
  const isBad = draft.trim() !== "" && jsonOf(draft) === undefined;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        {labelOf(shown) || text.form.input} <span class="muted">{text.form.json}</span> <Mark {...shown} />
      </label>
      <textarea
        id={id}
        rows={shown.depth === 0 ? 10 : 3}
        spellcheck={false}
        aria-invalid={isBad}
        value={draft}
        onInput={(event) => {
          setDraft(event.currentTarget.value);
          shown.onDraft?.(event.currentTarget.value);
          shown.onValue(jsonOf(event.currentTarget.value));
        }}
      />
      {isBad && <small class="bad">{text.form.notJson}</small>}
      {shown.schema.description && <small>{shown.schema.description}</small>}
    </div>
  );
}

function Mark({ isRequired, depth }: PartShown) {
  return isRequired && depth > 0 ? <span class="schema-required">{text.form.required}</span> : null;
}
