import { useState } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Diff } from "../../components/Diff.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { number } from "../../core/format.ts";
import { print } from "../../core/json.ts";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { TONES } from "./PlanPage.tsx";

type Plan = Answer<"GET /api/replays/{plan}">;
export type RunLine = Plan["runs"][number];
export type PlannedItem = Plan["items"][number];

/** A run of a plan, and its effects. */
export function PlannedRun({ run, items }: { run: RunLine; items: PlannedItem[] }) {
  const words = text.replays;
  return (
    <section class="planned">
      <header class="planned-run">
        <a href={link(pathTo("runs", run.run))}>{run.key ?? run.run}</a>
        <span class="muted">{[run.flow, run.release != null && words.releaseOf(run.release)].filter(Boolean).join(" · ")}</span>
        {run.state !== "open" && <Status of={run.state} />}
      </header>
      {run.differences && <p class="planned-note">{words.differences(run.differences)}</p>}
      {run.problem && <p class="planned-note bad">{run.problem}</p>}
      {items.length > 0 && (
        <ul>
          {items.map((item, i) => (
            <Effect key={i} item={item} />
          ))}
        </ul>
      )}
      {items.length === 0 && !run.problem && <p class="planned-note muted">{words.noEffects}</p>}
      {run.ends && (
        <p class="planned-note">
          <strong>{words.ends}</strong> {run.ends}
        </p>
      )}
      {!!run.more && <p class="planned-note muted">{words.more(number(run.more))}</p>}
    </section>
  );
}

function Effect({ item }: { item: PlannedItem }) {
  const words = text.replays;
  const [isOpen, setOpen] = useState(false);
  const [isCompared, compare] = useState(false);
  const canCompare = item.effect && item.request !== null && may("effects:read");
  const one = words.decisions[item.decision];
  const about = [words.types[item.type]?.(item.name), item.revision != null && words.revision(item.revision), item.note].filter(Boolean).join(" · ");
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="planned-effect">
          <span class={"badge tone-" + (TONES[item.decision] ?? "quiet")}>{one?.name ?? item.decision}</span>
          <span class="cut planned-step">{item.step + (item.item ? " · " + item.item : "")}</span>
          <span class="cut mono">{item.key}</span>
          <span class="cut muted planned-about">{about}</span>
        </summary>
        {isOpen && (
          <div class="planned-body">
            {about && <p class="muted">{about}</p>}
            {item.dependsOn?.length ? <p>{words.noRequest(item.dependsOn.join(", "))}</p> : <JsonView title={words.request} value={item.request} />}
            {canCompare && !isCompared && (
              <button type="button" class="button small" onClick={() => compare(true)}>
                {words.compare}
              </button>
            )}
            {canCompare && isCompared && <Compared effect={item.effect!} request={item.request} />}
          </div>
        )}
      </details>
    </li>
  );
}

function Compared({ effect, request }: { effect: string; request: unknown }) {
  const known = useCall("GET /api/effects/{id}", { path: { id: effect } });
  return (
    <Show of={known}>
      {(data) => (
        <>
          <h3>{text.replays.compared}</h3>
          <Diff before={print(data.request)} after={print(request)} />
        </>
      )}
    </Show>
  );
}
