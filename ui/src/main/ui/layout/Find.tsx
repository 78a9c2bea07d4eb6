import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../api/client.ts";
import { useCall } from "../api/use.ts";
import { Status } from "../components/Status.tsx";
import { go, link, pathTo } from "../core/router.ts";
import { text } from "../text.ts";

type Hit = Answer<"GET /api/find">["items"][number];

const PAUSE = 150;
const MOST = 8;

/** Where a hit is shown. A page of its own kind may not exist yet: then the run of its flow, or the ledger. */
export function placeOf(hit: Hit): string {
  switch (hit.kind) {
    case "run":
      return link(pathTo("runs", hit.id));
    case "effect":
      return link(pathTo("ledger", hit.id));
    case "event":
      return link(pathTo("inbox", hit.id));
    case "approval":
      return link(pathTo("desk", hit.id));
    case "flow":
      return link(pathTo("flows", hit.id));
    default:
      return link("/runs");
  }
}

/** One box that finds anything: a run, a key, an external id, an event, a flow. */
export function Find() {
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [isWanted, want] = useState(false); // Enter came before the answer
  const box = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const found = useCall("GET /api/find", asked ? { query: { q: asked } } : null);
  const hits = asked ? (found.data?.items.slice(0, MOST) ?? []) : [];
  useEffect(() => setAt(0), [asked]);
  const isAnswered = asked === typed.trim() && !!(found.data || found.problem);
  useEffect(() => {
    if (!isWanted || !isAnswered) return;
    want(false);
    if (hits[0]) open(hits[0]);
  }, [isWanted, isAnswered]);

  const leave = () => {
    setOpen(false);
    want(false);
    setTyped("");
    box.current?.blur();
  };
  const open = (hit: Hit) => {
    go(placeOf(hit));
    leave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") leave();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setAt((now) => (hits.length ? (now + step + hits.length) % hits.length : 0));
    } else if (event.key === "Enter") {
      if (!isAnswered) {
        setAsked(typed.trim());
        want(typed.trim() !== "");
      } else if (hits[at]) open(hits[at]!);
    }
  };
  const isShown = isOpen && asked !== "" && typed.trim() !== "" && !!(found.data || found.problem);
  return (
    <div class="find" role="search">
      <input
        id="find"
        ref={box}
        type="search"
        role="combobox"
        aria-label={text.find.label}
        aria-expanded={isShown}
        aria-controls="find-hits"
        aria-activedescendant={isShown && hits[at] ? "find-hit-" + at : undefined}
        autoComplete="off"
        spellcheck={false}
        placeholder={text.find.placeholder}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          want(false);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setTimeout(() => document.activeElement === box.current || setOpen(false), 150)}
        onKeyDown={onKeyDown}
      />
      <kbd class="find-key" aria-hidden="true">
        /
      </kbd>
      {isShown && (
        <ul class="find-hits" id="find-hits" role="listbox" aria-label={text.find.label}>
          {hits.map((hit, i) => (
            <li
              key={hit.kind + hit.id + hit.by}
              id={"find-hit-" + i}
              role="option"
              aria-selected={i === at}
              onMouseDown={() => open(hit)}
            >
              <span class="find-kind">{hit.kind}</span>
              <span class="find-value">{hit.value}</span>
              <span class="muted">{text.find.by(hit.by)}</span>
              {hit.flow && <span class="muted find-flow">{hit.flow}</span>}
              {hit.status && <Status of={hit.status} />}
            </li>
          ))}
          {hits.length === 0 && <li class="find-none">{found.problem ? found.problem.message : text.find.none}</li>}
        </ul>
      )}
    </div>
  );
}
