import { usePaged } from "../../api/paged.ts";
import { useCall } from "../../api/use.ts";
import { More } from "../../components/More.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Time } from "../../components/Time.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { Kept } from "./Kept.tsx";
import { draftOf, type RunData } from "./RunHead.tsx";

/** The runs around this one: who started it, whom it started, and which repeats it stopped. */
export function Related({ run, parent }: { run: RunData; parent: string | null }) {
  const words = text.run;
  const children = usePaged("GET /api/runs", { query: { parent: run.id, limit: "100", ...draftOf(run) } }, (page) => page.items, (event) => event.run !== run.id);
  const stopped = useCall("GET /api/runs/{id}/duplicates", run.duplicates > 0 ? { path: { id: run.id } } : null, (event) => event.run === run.id);
  return (
    <div class="run-related">
      <section>
        <h2>{words.parentTitle}</h2>
        {parent ? <a href={link(pathTo("runs", parent))}>{parent}</a> : <p class="muted">{words.noParent}</p>}
      </section>
      <section>
        <h2>{words.children}</h2>
        <Show of={children}>
          {(pages) =>
            pages.items.length === 0 ? (
              <p class="muted">{words.noChildren}</p>
            ) : (
              <>
                <ul class="rows">
                  {pages.items.map((child) => (
                    <li key={child.id}>
                      <a class="related-row" href={link(pathTo("runs", child.id))}>
                        <Status of={child.status} />
                        <span class="cut">{child.flow}</span>
                        <bdi class="cut mono">{child.key}</bdi>
                        <span class="muted">
                          <Time at={child.createdAt} />
                        </span>
                      </a>
                    </li>
                  ))}
                </ul>
                <More of={children} />
              </>
            )
          }
        </Show>
      </section>
      <section>
        <h2>{words.repeats}</h2>
        {run.duplicates === 0 && <p class="muted">{words.noRepeats}</p>}
        {stopped.data && (
          <ul class="rows">
            {stopped.data.items.map((one, i) => (
              <li key={i} class="related-row">
                <span class="badge tone-calm">{words.doors[one.door] ?? one.door}</span>
                <span class="cut">{one.caller ?? ""}</span>
                <span />
                <span class="muted">
                  <Time at={one.at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <Kept id={run.id} />
    </div>
  );
}
