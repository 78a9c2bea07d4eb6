import "./runs.css";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { useLive } from "../../api/live.ts";
import { may } from "../../api/session.ts";
import { Empty } from "../../components/Empty.tsx";
import { Problem } from "../../components/Problem.tsx";
import { VirtualList } from "../../components/VirtualList.tsx";
import { narrow } from "../../core/narrow.ts";
import { link, pathTo, usePlace } from "../../core/router.ts";
import { useRows } from "../../core/rows.ts";
import { useStore } from "../../core/store.ts";
import { text } from "../../text.ts";
import { Bulk } from "./Bulk.tsx";
import { filterOf, isFiltered, mayMatch } from "./filter.ts";
import { Filters } from "./Filters.tsx";
import { FoundList } from "./FoundList.tsx";
import { RunRow } from "./RunRow.tsx";
import { useRuns } from "./useRuns.ts";
import { Views } from "./Views.tsx";

const ROW = 36;
/** In a narrow window a row has two lines. */
const TALL_ROW = 56;

export function RunsPage() {
  const { query } = usePlace();
  const isNarrow = useStore(narrow);
  const filter = filterOf(query);
  const key = JSON.stringify(filter);
  const { list, known } = useRuns(filter);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const typed = query.get("q") ?? "";
  const mark = (id: string) =>
    setMarked((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });

  useEffect(() => {
    setFresh(new Set());
    setMarked(new Set());
  }, [key]);
  useLive(
    (event) => {
      if (event === null) list.reload();
      else if (!list.refresh(event.run) && mayMatch(filter, event)) setFresh((now) => (now.has(event.run) ? now : new Set(now).add(event.run)));
    },
    [list],
  );
  const showFresh = useCallback(() => {
    setFresh(new Set());
    list.reload();
  }, [list]);

  const places = useMemo(() => (typed ? [] : known.items.map((run) => link(pathTo("runs", run.id)))), [known.items, typed]);
  const { selected } = useRows(places, [{ keys: "x", does: text.runs.markKey, run: (row) => mark(known.items[row]!.id) }]);

  return (
    <section class="runs">
      <header class="page-head">
        <h1>{text.runs.title}</h1>
        <Views filter={filter} />
      </header>
      <Filters filter={filter} typed={typed} />
      {typed ? <FoundList of={typed} filter={filter} /> : rows()}
    </section>
  );

  function rows() {
    return (
    <>
      <Bulk marked={marked} filter={filter} onClear={() => setMarked(new Set())} />
      {fresh.size > 0 && (
        <button type="button" class="button small primary fresh" onClick={showFresh}>
          {text.runs.fresh(fresh.size)}
        </button>
      )}
      <Columns />
      {known.problem && known.items.length > 0 && (
        <p class="notice tone-warn" role="alert">
          {text.runs.incomplete(known.problem.message)}{" "}
          <button type="button" class="link" onClick={() => list.retry()}>
            {text.state.retry}
          </button>
        </p>
      )}
      {known.problem && known.items.length === 0 ? (
        <Problem of={known.problem} onRetry={() => list.retry()} />
      ) : known.items.length > 0 ? (
        <VirtualList
          items={known.items}
          rowHeight={isNarrow ? TALL_ROW : ROW}
          keyOf={(run) => run.id}
          label={text.runs.title}
          selected={selected}
          onEnd={() => list.more()}
          place={"runs " + key}
          row={(run) => (
            <RunRow run={run} isRetrying={filter.status === "retrying"} isMarked={marked.has(run.id)} onMark={may("runs:write") ? () => mark(run.id) : null} />
          )}
        />
      ) : known.isLoading ? (
        <p class="loading">{text.state.loading}</p>
      ) : isFiltered(filter) ? (
        <Empty title={text.runs.none}>
          <a class="button" href={link("/runs")}>
            {text.runs.clear}
          </a>
        </Empty>
      ) : (
        <Empty title={text.runs.empty} hint={text.runs.emptyHint} command={text.runs.emptyCommand} />
      )}
    </>
    );
  }
}

function Columns() {
  const names = text.runs.columns;
  return (
    <div class={"run-columns" + (may("runs:write") ? " markable" : "")} aria-hidden="true">
      <span>{names.status}</span>
      <span>{names.flow}</span>
      <span>{names.key}</span>
      <span>{names.about}</span>
      <span class="run-number">{names.stopped}</span>
      <span class="run-created">{names.created}</span>
      <span class="run-number">{names.took}</span>
    </div>
  );
}
