import { useState } from "preact/hooks";
import { Confirm } from "../../components/Confirm.tsx";
import { Field } from "../../components/Field.tsx";
import { kept } from "../../core/kept.ts";
import { link } from "../../core/router.ts";
import { useStore } from "../../core/store.ts";
import { text } from "../../text.ts";
import { isFiltered, placeOf, queryOf, type Filter, type View } from "./filter.ts";

/** The views of this browser. Another person gets one by its address. */
const views = kept<View[]>("views.runs", []);
const BUILT_IN = ["failed", "retrying", "review", "waiting", "running"];
const LONGEST = 40;

/** Lists that are one click away: those that everyone needs, and those that a person has named. */
export function Views({ filter }: { filter: Filter }) {
  const words = text.runs;
  const own = useStore(views);
  const now = queryOf(filter);
  const [isNaming, setNaming] = useState(false);
  const tab = (name: string, href: string, isHere: boolean) => (
    <a class="view" href={href} aria-current={isHere ? "page" : undefined}>
      {name}
    </a>
  );
  const isKnown = now === "" || own.some((view) => view.query === now) || BUILT_IN.some((one) => now === "status=" + one);
  return (
    <nav class="views" aria-label={words.views}>
      {tab(words.all, link("/runs"), now === "")}
      {BUILT_IN.map((one) => (
        <span key={one}>{tab(text.status[one]!, link("/runs", { status: one }), now === "status=" + one)}</span>
      ))}
      {own.map((view) => (
        <span class="own-view" key={view.name}>
          {tab(view.name, placeOf(view), view.query === now)}
          {view.query === now && (
            <button type="button" class="link" aria-label={words.forget(view.name)} onClick={() => views.set(own.filter((one) => one !== view))}>
              ×
            </button>
          )}
        </span>
      ))}
      {isFiltered(filter) && !isKnown && (
        <button type="button" class="button small" onClick={() => setNaming(true)}>
          {words.save}
        </button>
      )}
      {isNaming && <Name query={now} onClose={() => setNaming(false)} />}
    </nav>
  );
}

function Name({ query, onClose }: { query: string; onClose: () => void }) {
  const words = text.runs;
  const [name, setName] = useState("");
  const run = async () => {
    const called = name.trim().slice(0, LONGEST);
    views.update((all) => [...all.filter((one) => one.name !== called), { name: called, query }]);
  };
  return (
    <Confirm
      onClose={onClose}
      action={{
        title: words.saveTitle,
        says: (
          <>
            <p>{words.saveSays}</p>
            <Field label={words.viewName} value={name} onValue={setName} required />
          </>
        ),
        label: words.saveDo,
        run,
      }}
    />
  );
}
