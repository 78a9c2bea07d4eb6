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
import { Table, type Column } from "../../components/Table.tsx";
import { Time } from "../../components/Time.tsx";
import { toast } from "../../components/Toasts.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import type { MessageItem } from "./OutboxPage.tsx";

const words = text.outbox;

type Attempt = NonNullable<MessageItem["attempts"]>[number];

const COLUMNS: Column<Attempt>[] = [
  { name: words.attempt, kind: "short", show: (one) => one.attempt },
  { name: words.at, kind: "short", show: (one) => <Time at={one.at} /> },
  { name: words.what, kind: "short", show: (one) => <>{text.review.entries[one.type] ?? one.type} {one.decision && <span class="muted">{one.decision}</span>}</> },
  { name: words.problem, show: (one) => one.error?.message ?? one.evidence ?? "" },
];

/** A message, its content and every attempt to deliver it. */
export function MessagePage({ id }: { id: string }) {
  const message = useCall("GET /api/outbox/{id}", { path: { id } }, () => true);
  const [isAsked, ask] = useState(false);
  const redeliver = async () => {
    await call("POST /api/outbox/{id}/redeliver", { path: { id } });
    toast(words.redelivers);
    message.reload();
  };
  return (
    <Show of={message}>
      {(data) => (
        <article class="page">
          <Title of={data.id} />
          <p class="crumbs">
            <a href={link("/outbox")}>{words.title}</a> › {data.destination}
          </p>
          <header class="page-title">
            <h1>{data.type}</h1>
            <Status of={data.state} />
            <div class="push">
              {may("runs:write") && data.state === "dead" && (
                <button type="button" class="button primary" onClick={() => ask(true)}>
                  {words.redeliver}
                </button>
              )}
              <Copy label={text.copy.cli} of={() => text.commands.message(data.id)} />
            </div>
          </header>
          {data.problem && <p class={"notice tone-" + (data.state === "dead" ? "bad" : "warn")}>{data.problem}</p>}
          <Facts
            of={[
              [words.destination, data.destination],
              [words.id, <span class="mono">{data.id}</span>],
              [words.published, <Time at={data.publishedAt} />],
              [words.delivery, <a href={link(pathTo("runs", data.run))}>{data.run}</a>],
            ]}
          />
          {!!data.attempts?.length && (
            <section>
              <h2>{words.attempts}</h2>
              <Table label={words.attempts} columns={COLUMNS} rows={data.attempts} keyOf={(one) => String(one.seq)} />
            </section>
          )}
          <JsonView title={words.content} value={data.data} />
          {isAsked && (
            <Confirm action={{ title: words.redeliverTitle, says: words.redeliverSays(data.id), label: words.redeliver, run: redeliver }} onClose={() => ask(false)} />
          )}
        </article>
      )}
    </Show>
  );
}
