import "./flow.css";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Empty } from "../../components/Empty.tsx";
import { Facts } from "../../components/Facts.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Title } from "../../components/Title.tsx";
import { Tabs } from "../../components/Tabs.tsx";
import { Time } from "../../components/Time.tsx";
import { link, usePlace } from "../../core/router.ts";
import { text } from "../../text.ts";
import { flowState } from "../flows/FlowsPage.tsx";
import { DraftText } from "./DraftText.tsx";
import { FlowSummary } from "./FlowSummary.tsx";
import { ReleaseList } from "./ReleaseList.tsx";
import { RetireButton } from "./RetireButton.tsx";
import { StartForm } from "./StartForm.tsx";

const words = text.flow;

/** A flow: what it does, its releases, its draft, and a form that starts it. */
export function FlowPage({ flow }: { flow: string }) {
  const { query } = usePlace();
  const found = useCall("GET /api/flows/{flow}", { path: { flow } });
  const tab = query.get("tab") ?? "about";
  const canStart = may("runs:write");
  return (
    <Show of={found}>
      {(data) => (
        <article class="page">
          <Title of={data.flow} />
          <header class="page-title">
            <h1>{data.flow}</h1>
            <Status of={flowState(data)} />
            <div class="push">
              {canStart && data.live !== null && (
                <a class="button primary" href={link("/flows/" + encodeURIComponent(flow), { tab: "start" })}>
                  {words.start}
                </a>
              )}
              {may("runs:read") && (
                <a class="button" href={link("/runs", { flow })}>
                  {words.runs}
                </a>
              )}
              {may("flows:write") && data.live !== null && <RetireButton flow={data} onChange={found.reload} />}
            </div>
          </header>
          {data.description && <p class="lead">{data.description}</p>}
          <Facts
            of={[
              [words.live, data.live],
              [words.newest, data.newest !== data.live && data.newest],
              [words.promoted, data.promotedAt && <Time at={data.promotedAt} />],
              [words.by, data.promotedBy],
              [words.retired, data.retiredAt && <Time at={data.retiredAt} />],
              [words.by, data.retiredBy],
              [words.labels, data.labels.join(", ")],
            ]}
          />
          <Tabs
            label={words.parts}
            of={[
              ["about", words.about],
              ["releases", words.releases],
              ["draft", words.draft],
              ...(canStart ? [["start", words.start] as [string, string]] : []),
            ]}
          />
          {tab === "releases" ? (
            <ReleaseList flow={data} onChange={found.reload} />
          ) : tab === "draft" ? (
            data.draft ? (
              <DraftText flow={data} onChange={found.reload} />
            ) : (
              <Empty title={words.noDraft} hint={words.noDraftHint} command={text.commands.push(flow)} />
            )
          ) : tab === "start" && canStart ? (
            <StartForm flow={data} />
          ) : (
            <FlowSummary flow={data} />
          )}
        </article>
      )}
    </Show>
  );
}
