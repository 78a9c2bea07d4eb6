import "./reviews.css";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { may, session } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Empty } from "../../components/Empty.tsx";
import { More } from "../../components/More.tsx";
import { Show } from "../../components/Show.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { number, plural } from "../../core/format.ts";
import { link, pathTo, setQuery, usePlace } from "../../core/router.ts";
import { useRows } from "../../core/rows.ts";
import { text } from "../../text.ts";
import { Causes } from "./Causes.tsx";
import { ReviewRow } from "./ReviewRow.tsx";
import { SettleCause } from "./SettleCause.tsx";
import { SettleMany } from "./SettleMany.tsx";

export type ReviewItem = Answer<"GET /api/reviews">["items"][number];

const always = () => true;

/** What only a person can decide: by cause, and one by one. */
export function ReviewsPage() {
  const { query } = usePlace();
  const [cause, assignee, flow] = ["cause", "assignee", "flow"].map((name) => query.get(name) ?? "");
  const causes = useCall("GET /api/reviews/causes", {}, always);
  const reviews = usePaged("GET /api/reviews", { query: { cause, assignee, flow, limit: "100" } as object }, (page) => page.items, always);
  const items = reviews.data?.items ?? [];
  const { selected, list } = useRows(items.map((one) => link(pathTo("reviews", one.id))));
  const [marked, mark] = useState<ReadonlySet<string>>(new Set());
  const [settling, settle] = useState<ReviewItem[] | null>(null); // as they were shown
  const chosen = items.filter((one) => marked.has(one.id));
  const [isPlanning, plan] = useState(false);
  const ofCause = causes.data?.items.find((one) => one.cause === cause);
  const isFiltered = !!(cause || assignee || flow);
  const words = text.reviews;
  const total = causes.data?.items.reduce((sum, one) => sum + one.count, 0);
  const change = () => {
    reviews.reload();
    causes.reload();
  };

  return (
    <div class="page">
      <header class="page-title">
        <h1>{words.title}</h1>
        {!!total && <span class="muted">{words.total(plural(total, "effect"), causes.data!.complete)}</span>}
      </header>
      {causes.data && <Causes of={causes.data.items} chosen={cause!} />}
      {(isFiltered || items.length > 0) && (
        <Filters cause={cause!} assignee={assignee!} flow={flow!}>
          {cause && may("effects:settle") && items.length > 0 && (
            <span class="reviews-marked">
              <label class="check">
                <input
                  type="checkbox"
                  checked={chosen.length === items.length}
                  onChange={(event) => mark(new Set(event.currentTarget.checked ? items.map((one) => one.id) : []))}
                />
                <span>{words.all(items.length)}</span>
              </label>
              <button type="button" class="button primary" disabled={chosen.length === 0} onClick={() => settle(chosen)}>
                {words.settleMany(chosen.length)}
              </button>
              {ofCause && !assignee && (
                <button type="button" class="button" onClick={() => plan(true)}>
                  {words.settleCause(number(ofCause.count))}
                </button>
              )}
            </span>
          )}
        </Filters>
      )}
      <Show of={reviews}>
        {() =>
          items.length > 0 ? (
            <>
              <ul class="rows" ref={list} aria-label={words.title}>
                {items.map((one, i) => (
                  <ReviewRow
                    key={one.id}
                    review={one}
                    isSelected={i === selected}
                    marked={cause && may("effects:settle") ? marked.has(one.id) : undefined}
                    onMark={(on) => mark((all) => new Set(on ? [...all, one.id] : [...all].filter((id) => id !== one.id)))}
                  />
                ))}
              </ul>
              <More of={reviews} />
            </>
          ) : isFiltered ? (
            <Empty title={words.none}>
              <a class="button" href={link("/reviews")}>
                {text.runs.clear}
              </a>
            </Empty>
          ) : (
            <Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />
          )
        }
      </Show>
      {isPlanning && ofCause && <SettleCause cause={cause!} flow={flow!} effects={plural(ofCause.count, "effect")} onClose={() => plan(false)} />}
      {settling && (
        <SettleMany
          of={settling}
          onClose={() => {
            settle(null);
            mark(new Set());
            change();
          }}
        />
      )}
    </div>
  );
}

function Filters({ cause, assignee, flow, children }: { cause: string; assignee: string; flow: string; children?: preact.ComponentChildren }) {
  const own = session.get()?.name ?? "";
  const words = text.reviews;
  return (
    <div class="reviews-filters">
      <TextFilter label={words.assignee} value={assignee} onValue={(next) => setQuery({ assignee: next })} />
      <button type="button" class="chip" aria-pressed={assignee === own} onClick={() => setQuery({ assignee: assignee === own ? null : own })}>
        {words.mine}
      </button>
      {cause && <Chip name="cause" shown={words.cause} value={cause} />}
      {flow && <Chip name="flow" shown={text.runs.flow} value={flow} />}
      {children}
    </div>
  );
}

function Chip({ name, shown, value }: { name: string; shown: string; value: string }) {
  return (
    <button type="button" class="chip" aria-label={text.runs.remove(shown)} onClick={() => setQuery({ [name]: null })}>
      {shown}: {value} <span aria-hidden="true">×</span>
    </button>
  );
}
