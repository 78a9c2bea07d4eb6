import { useCall } from "../../api/use.ts";
import { Empty } from "../../components/Empty.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { useRows } from "../../core/rows.ts";
import { placeOf } from "../../layout/Find.tsx";
import { text } from "../../text.ts";
import { admits, notApplied, type Filter } from "./filter.ts";

const always = () => true;

/** All that a text may mean: runs, effects, events, approvals and flows, by any id, key or search field. */
export function FoundList({ of, filter }: { of: string; filter: Filter }) {
  const found = useCall("GET /api/find", { query: { q: of, limit: "200", ...(filter.draft ? { draft: filter.draft } : {}) } }, always);
  const hits = (found.data?.items ?? []).filter((hit) => admits(filter, hit));
  const { selected, list } = useRows(hits.map(placeOf));
  const words = text.runs;
  const others = notApplied(filter).map((name) => words.names[name] ?? name);
  return (
    <div class="found">
      {others.length > 0 && (
        <p class="notice tone-warn" role="status">
          {words.notApplied(others.join(", "))}
        </p>
      )}
      <Show of={found}>
        {(page) =>
          hits.length === 0 ? (
            page.items.length > 0 ? <Empty title={words.noneHere} hint={words.noneHereHint(page.items.length)} /> : <Empty title={words.nothing} hint={words.nothingHint} />
          ) : (
            <ul class="rows" ref={list} aria-label={words.found}>
              {hits.map((hit, i) => (
                <li key={hit.kind + hit.id + hit.by} class={i === selected ? "selected" : ""}>
                  <a class="found-row" href={placeOf(hit)}>
                    <span class="badge tone-quiet">{words.kinds[hit.kind] ?? hit.kind}</span>
                    <bdi class="mono cut">{hit.value}</bdi>
                    <span class="muted found-by">{text.find.by(hit.by)}</span>
                    <span class="muted cut found-flow">{hit.flow ?? ""}</span>
                    {hit.status ? <Status of={hit.status} /> : <span />}
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </div>
  );
}
