import "./inbox.css";
import { useState } from "preact/hooks";
import { call } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Copy } from "../../components/Copy.tsx";
import { Facts } from "../../components/Facts.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Title } from "../../components/Title.tsx";
import { Time } from "../../components/Time.tsx";
import { toast } from "../../components/Toasts.tsx";
import { plural } from "../../core/format.ts";
import { print } from "../../core/json.ts";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

const words = text.inbox;
const RETRYABLE = ["invalid", "rejected", "review"];

/** An event: what came, what became of it, and why. */
export function EventPage({ id }: { id: string }) {
  const event = useCall("GET /api/inbox/{id}", { path: { id } });
  const [isAsked, ask] = useState(false);
  const retry = async () => {
    const now = await call("POST /api/inbox/{id}/retry", { path: { id } });
    toast(words.nowIs(text.status[now.outcome] ?? now.outcome));
    event.reload();
  };
  return (
    <Show of={event}>
      {(data) => (
        <article class="page">
          <Title of={data.event} />
          <header class="page-title">
            <h1 class="mono">{data.event}</h1>
            <Status of={data.outcome} />
            <div class="push">
              {may("inbox:write") && RETRYABLE.includes(data.outcome) && (
                <button type="button" class="button primary" onClick={() => ask(true)}>
                  {words.retry}
                </button>
              )}
              <Copy label={text.copy.cli} of={() => text.commands.event(data.id)} />
            </div>
          </header>
          <p class="event-says">
            {words.means[data.outcome]} {data.redeliveries > 0 && words.again(plural(data.redeliveries, words.time))}
          </p>
          {data.detail && <p class="notice tone-warn">{data.detail}</p>}
          <Facts
            of={[
              [words.source, data.source],
              [words.flow, <a href={link(pathTo("flows", data.flow))}>{data.flow}</a>],
              [words.theRun, data.run && <a href={link(pathTo("runs", data.run))}>{data.run}</a>],
              [words.received, <Time at={data.receivedAt} />],
              [words.redeliveries, data.redeliveries || null],
              [words.object, data.object],
              [words.version, data.version == null ? null : print(data.version, 0)],
            ]}
          />
          <Came of={data.payload} />
          {isAsked && (
            <Confirm
              action={{ title: words.retryTitle, says: data.outcome === "review" ? words.retryReview : words.retrySays, label: words.retry, run: retry }}
              onClose={() => ask(false)}
            />
          )}
        </article>
      )}
    </Show>
  );
}

/** What came, and below it how: the headers of a request are rarely what a person looks for. */
function Came({ of }: { of: unknown }) {
  const parts = of as { headers?: unknown; body?: unknown } | null;
  if (!parts?.headers || parts.body === undefined || Object.keys(parts).length !== 2) return <JsonView title={words.payload} value={of} />;
  return (
    <>
      <JsonView title={words.payload} value={parts.body} />
      <JsonView title={words.headers} value={parts.headers} isClosed />
    </>
  );
}
