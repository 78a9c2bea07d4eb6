import { useMemo, useState } from "preact/hooks";
import { bytes, number } from "../core/format.ts";
import { Exact, plain, print, size } from "../core/json.ts";
import { text } from "../text.ts";
import { Copy } from "./Copy.tsx";

const OPEN_BELOW = 2000;
const FIRST = 100;
const LONGEST = 5000;

/**
 * A payload: its size first, its content when it is opened. Everything is text; nothing in it is ever
 * taken for markup. Long lists and texts are shown in parts.
 */
export function JsonView({ value, title, isClosed, isOpen: begins }: { value: unknown; title: string; isClosed?: boolean; isOpen?: boolean }) {
  const length = useMemo(() => size(value), [value]);
  const [isOpen, setOpen] = useState(begins || (!isClosed && length <= OPEN_BELOW));
  if (value === undefined || value === null) {
    return (
      <p class="payload-none">
        {title}: {text.json.none}
      </p>
    );
  }
  return (
    <details class="payload" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} <span class="muted">{bytes(length)}</span>
      </summary>
      {isOpen && (
        <div class="payload-body">
          <Copy label={text.copy.value} of={() => print(value)} class="small payload-copy" />
          <div class="json">
            <Node value={value} depth={0} />
          </div>
        </div>
      )}
    </details>
  );
}

function Node({ value, depth }: { value: unknown; depth: number }) {
  if (value instanceof Exact || typeof value === "number") return <span class="json-number">{String(value)}</span>;
  if (typeof value === "string") return <Text of={value} />;
  if (value === null || typeof value !== "object") return <span class="json-word">{String(value)}</span>;
  return <Branch value={value} depth={depth} />;
}

function Text({ of }: { of: string }) {
  const [isWhole, setWhole] = useState(of.length <= LONGEST);
  return (
    <span class="json-text">
      {plain(JSON.stringify(isWhole ? of : of.slice(0, LONGEST)))}
      {!isWhole && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {text.json.more(bytes(of.length - LONGEST))}
        </button>
      )}
    </span>
  );
}

function Branch({ value, depth }: { value: object; depth: number }) {
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  const [isOpen, setOpen] = useState(depth < 2 || entries.length === 0);
  const [shown, setShown] = useState(FIRST);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return <span class="json-mark">{open + close}</span>;
  return (
    <span>
      <button type="button" class="json-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "▾" : "▸"}
        <span class="sr">{text.json.show}</span>
      </button>
      <span class="json-mark">{open}</span>
      {!isOpen && (
        <button type="button" class="link" onClick={() => setOpen(true)}>
          {number(entries.length)}
        </button>
      )}
      {isOpen && (
        <span class="json-children">
          {entries.slice(0, shown).map(([name, one]) => (
            <span class="json-line" key={name}>
              {!isList && <span class="json-name">{plain(JSON.stringify(name))}: </span>}
              <Node value={one} depth={depth + 1} />
            </span>
          ))}
          {entries.length > shown && (
            <button type="button" class="link" onClick={() => setShown(shown + 10 * FIRST)}>
              {text.json.more(number(entries.length - shown))}
            </button>
          )}
        </span>
      )}
      <span class="json-mark">{close}</span>
    </span>
  );
}
