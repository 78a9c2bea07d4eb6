import { addressOf, type Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Copy } from "../../components/Copy.tsx";
import { Empty } from "../../components/Empty.tsx";
import { FlowGraph } from "../../components/FlowGraph.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Time } from "../../components/Time.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

export type FlowData = Answer<"GET /api/flows/{flow}">;

const words = text.flow;

/** What the live release does: its picture, what starts it, and its last runs. */
export function FlowSummary({ flow }: { flow: FlowData }) {
  const release = flow.live ?? flow.newest;
  return (
    <div class="flow-about">
      {release === null ? (
        <Empty title={words.noRelease} hint={words.noReleaseHint} command={text.commands.release(flow.flow)} />
      ) : (
        <Picture flow={flow.flow} release={release} />
      )}
      <aside class="flow-aside">
        <Triggers flow={flow} />
        {may("runs:read") && <LastRuns flow={flow.flow} />}
      </aside>
    </div>
  );
}

/** The server's picture, built from its own shapes: nothing in it can run. */
function Picture({ flow, release }: { flow: string; release: number }) {
  const of = { path: { flow, release: String(release) } };
  const picture = useCall("GET /api/flows/{flow}/releases/{release}/picture", of);
  return (
    <figure class="flow-picture">
      <Show of={picture}>{(svg) => <FlowGraph svg={String(svg)} label={words.pictureOf(flow, release)} />}</Show>
      <figcaption>
        <span class="muted">{words.release(release)}</span>
        <a href={addressOf("GET /api/flows/{flow}/releases/{release}/picture", of)} target="_blank" rel="noreferrer">
          {words.openPicture}
        </a>
      </figcaption>
    </figure>
  );
}

function Triggers({ flow }: { flow: FlowData }) {
  return (
    <section>
      <h2>{words.triggers}</h2>
      {flow.triggers.length === 0 && <p class="muted">{words.noTriggers}</p>}
      <ul class="plain">
        {flow.triggers.map((one, i) => (
          <li key={i}>
            {one.webhook && (
              <>
                <strong>{words.webhook}</strong> <span class="muted">{one.webhook.scheme}</span>
                <p class="mono">
                  POST {one.webhook.address} <Copy label={text.copy.value} of={() => location.origin + one.webhook!.address} class="small" />
                </p>
              </>
            )}
            {one.schedule && <ScheduleTrigger name={one.schedule.name} cron={one.schedule.cron} zone={one.schedule.timezone} />}
            {one.queue && (
              <>
                <strong>{words.queue}</strong>
                <p class="mono">
                  {one.queue.connection} / {one.queue.queue}
                </p>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ScheduleTrigger({ name, cron, zone }: { name: string; cron: string; zone: string | null }) {
  const schedule = useCall("GET /api/schedules/{name}", may("schedules:read") ? { path: { name } } : null);
  return (
    <>
      <strong>{words.schedule}</strong> <a class="trigger-link" href={link("/schedules")}>{name}</a>
      {schedule.data?.paused && <span class="badge tone-warn">{text.schedules.paused}</span>}
      <p>
        <span class="mono">{cron}</span> <span class="muted">{zone ?? "UTC"}</span>
      </p>
      {!!schedule.data?.next.length && (
        <ol class="instants">
          {schedule.data.next.map((at) => (
            <li key={at}>
              <Time at={at} /> <span class="muted"><Time at={at} isRelative /></span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function LastRuns({ flow }: { flow: string }) {
  const runs = useCall("GET /api/runs", { query: { flow, limit: "8" } }, (event) => event.flow === flow);
  return (
    <section>
      <h2>{words.lastRuns}</h2>
      {runs.data?.items.length === 0 && <p class="muted">{words.noRuns}</p>}
      <ul class="plain last-runs">
        {(runs.data?.items ?? []).map((run) => (
          <li key={run.id}>
            <Status of={run.status} />
            <a class="cut mono" href={link(pathTo("runs", run.id))}>
              {run.key}
            </a>
            <span class="muted">
              <Time at={run.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
