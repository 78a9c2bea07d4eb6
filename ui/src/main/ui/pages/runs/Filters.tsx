import { useEffect, useRef, useState } from "preact/hooks";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { TimeField } from "../../components/TimeField.tsx";
import { shortTime } from "../../core/time.ts";
import { setQuery } from "../../core/router.ts";
import { text } from "../../text.ts";
import { isFiltered, type Filter } from "./filter.ts";

const STATUSES = ["queued", "running", "waiting", "retrying", "review", "canceling", "compensating", "succeeded", "partial", "failed", "compensated", "canceled"];
const FIELDS = ["keyPrefix", "key", "error", "since", "until", "label"] as const;
const FLAGS = ["retryable", "duplicates"];
const TIMES = ["since", "until"];
const PAUSE = 250;

/** One box that finds anything, the two filters that are used most, and a chip for each of the others. */
export function Filters({ filter, typed }: { filter: Filter; typed: string }) {
  const flows = useCall("GET /api/flows", may("flows:read") ? { query: { limit: "200" } } : null);
  const words = text.runs;
  const inSelects = ["status", "flow"];
  return (
    <div class="filters">
      <Search typed={typed} />
      <label>
        <span class="sr">{words.status}</span>
        <select value={filter.status ?? ""} onChange={(event) => setQuery({ status: event.currentTarget.value })}>
          <option value="">{words.status}</option>
          {filter.status?.includes(",") && <option value={filter.status}>{filter.status.split(",").map((one) => text.status[one] ?? one).join(", ")}</option>}
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {text.status[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="sr">{words.flow}</span>
        <select value={filter.flow ?? ""} onChange={(event) => setQuery({ flow: event.currentTarget.value })}>
          <option value="">{words.flow}</option>
          {filter.flow && !flows.data?.items.some((one) => one.flow === filter.flow) && <option value={filter.flow}>{filter.flow}</option>}
          {(flows.data?.items ?? []).map((one) => (
            <option key={one.flow} value={one.flow}>
              {one.flow}
            </option>
          ))}
        </select>
      </label>
      <Others />
      {Object.entries(filter)
        .filter(([name]) => !inSelects.includes(name))
        .map(([name, value]) => (
          <button type="button" class="chip" key={name} aria-label={words.remove(words.names[name] ?? name)} onClick={() => setQuery({ [name]: null })}>
            <span class="muted">{words.names[name] ?? name}</span> <bdi class="chip-value" title={TIMES.includes(name) ? value : undefined}>{TIMES.includes(name) ? shortTime(value) : value}</bdi> <span aria-hidden="true">×</span>
          </button>
        ))}
      {(isFiltered(filter) || typed) && (
        <button type="button" class="link" onClick={() => setQuery(Object.fromEntries([...Object.keys(filter), "q"].map((name) => [name, null])))}>
          {words.clear}
        </button>
      )}
    </div>
  );
}

/** The text that is looked for; the address has it soon after it was typed. */
function Search({ typed }: { typed: string }) {
  const [value, setValue] = useState(typed);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setValue(typed), [typed]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (next: string) => {
    clearTimeout(timer.current);
    setQuery({ q: next.trim() }, typed !== "");
  };
  return (
    <form
      class="runs-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        ask(value);
      }}
    >
      <input
        type="search"
        aria-label={text.runs.search}
        placeholder={text.runs.searchHint}
        value={value}
        spellcheck={false}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        onInput={(event) => {
          const next = event.currentTarget.value;
          setValue(next);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => ask(next), PAUSE);
        }}
      />
    </form>
  );
}

/** The filters that are used less: a field and its value become a chip. */
function Others() {
  const words = text.runs;
  const [name, setName] = useState<string>("keyPrefix");
  const [field, setField] = useState("");
  const [value, setValue] = useState("");
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const box = menu.current!;
      const isLeft = event instanceof KeyboardEvent ? event.key === "Escape" : !box.contains(event.target as Node);
      if (!box.open || !isLeft) return;
      box.open = false;
      if (event instanceof KeyboardEvent) box.querySelector("summary")!.focus();
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, []);
  const isSearch = name === "search";
  const isFlag = FLAGS.includes(name);
  const submit = (event: Event) => {
    event.preventDefault();
    const wanted = isSearch ? "search." + field.trim() : name;
    setQuery({ [wanted]: isFlag ? "true" : value.trim() });
    setValue("");
    menu.current!.open = false;
  };
  return (
    <details class="menu" ref={menu}>
      <summary class="button small">{words.add}</summary>
      <form class="menu-body" onSubmit={submit}>
        <label class="field">
          <span>{words.field}</span>
          <select value={name} onChange={(event) => {
              setName(event.currentTarget.value);
              setValue("");
            }}
          >
            {[...FIELDS, ...FLAGS, "search"].map((one) => (
              <option key={one} value={one}>
                {words.names[one]}
              </option>
            ))}
          </select>
        </label>
        {isSearch && (
          <label class="field">
            <span>{words.fieldName}</span>
            <input value={field} required onInput={(event) => setField(event.currentTarget.value)} />
          </label>
        )}
        {TIMES.includes(name) && <TimeField label={words.value} value={value} onValue={setValue} required />}
        {!isFlag && !TIMES.includes(name) && (
          <label class="field">
            <span>{words.value}</span>
            <input value={value} required placeholder={words.hints[name] ?? ""} onInput={(event) => setValue(event.currentTarget.value)} />
          </label>
        )}
        <button class="button primary">{words.addDo}</button>
      </form>
    </details>
  );
}
