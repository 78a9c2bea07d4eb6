import "./review.css";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Copy } from "../../components/Copy.tsx";
import { Facts } from "../../components/Facts.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Title } from "../../components/Title.tsx";
import { Time } from "../../components/Time.tsx";
import { plainly, plural } from "../../core/format.ts";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { decisions, type Decision } from "../reviews/decisions.ts";
import { Attempts } from "./Attempts.tsx";
import { Comments } from "./Comments.tsx";
import { Others } from "./Others.tsx";
import { Settle } from "./Settle.tsx";

export type Review = Answer<"GET /api/reviews/{id}">;

/** An effect that only a person can decide, with all that is known about it. */
export function ReviewPage({ id }: { id: string }) {
  const [run, setRun] = useState<string | null>(null);
  const review = useCall("GET /api/reviews/{id}", { path: { id } }, (event) => event.run === run);
  if (review.data && review.data.run !== run) setRun(review.data.run);
  return <Show of={review}>{(data) => <Whole review={data} onChange={review.reload} />}</Show>;
}

function Whole({ review, onChange }: { review: Review; onChange: () => void }) {
  // the review as it was when the person began to decide: what comes live must not change what they decide about
  const [asked, ask] = useState<{ decision: Decision; review: Review } | null>(null);
  const [changes, setChanges] = useState<string[] | null>(null);
  const words = text.review;
  const isOpen = review.state === "review";
  return (
    <article class="page review">
      <Title of={review.key} />
      <header class="review-head">
        <p class="crumbs">
          <a href={link("/reviews")}>{text.reviews.title}</a> › {review.flow} › {review.step + (review.item ? " · " + review.item : "")}
        </p>
        <div class="page-title">
          <h1>{review.key}</h1>
          <Status of={review.state} />
        </div>
        <p class="review-says">{isOpen ? words.says(review.name, plural(review.attempts, "time")) : words.over(text.status[review.state] ?? review.state)}</p>
      </header>
      {changes && (
        <div class="notice tone-warn" role="alert">
          <strong>{words.stale}</strong>
          <ul>
            {changes.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <p>{words.staleNext}</p>
        </div>
      )}
      {review.evidence && (
        <p class={"notice tone-" + (isOpen ? "ask" : "quiet")}>
          <strong>{words.evidence}</strong> {plainly(review.evidence)}
        </p>
      )}
      {review.runbook && (
        <section class="runbook">
          <h2>{words.runbook}</h2>
          <p>{review.runbook}</p>
        </section>
      )}
      {isOpen && may("effects:settle") && (
        <div class="review-decide" role="group" aria-label={text.reviews.decision}>
          {decisions.map((one) => (
            <button type="button" key={one.value} class={"decide" + (one.value === "abandon" ? " bad" : "")} onClick={() => ask({ decision: one.value, review })}>
              <strong>{one.name}</strong>
              <span>{one.says}</span>
            </button>
          ))}
        </div>
      )}
      <div class="review-body">
        <div class="review-main">
          <section>
            <h2>{words.what}</h2>
            <FactsOf review={review} />
          </section>
          <section>
            <h2>{words.happened}</h2>
            <Attempts of={review.history ?? []} />
          </section>
          <section class="review-payloads">
            <h2>{words.payloads}</h2>
            <JsonView title={words.request} value={review.request} />
            <JsonView title={words.answer} value={review.result} />
          </section>
        </div>
        <div class="review-side">
          <Comments review={review} onChange={onChange} />
          <Others of={review.others ?? []} run={review.run} />
          <div>
            <Copy label={text.copy.cli} of={() => text.commands.review(review.id)} />
          </div>
        </div>
      </div>
      {asked && (
        <Settle
          {...asked}
          onClose={() => ask(null)}
          onDone={() => {
            setChanges(null);
            onChange();
          }}
          onStale={(found) => {
            setChanges(found);
            onChange();
          }}
        />
      )}
    </article>
  );
}

function FactsOf({ review }: { review: Review }) {
  const names = text.review.facts;
  return (
    <div class="facts-grid">
      <Facts
        of={[
          [names.name, review.name],
          [names.key, <code>{review.key}</code>],
          [names.wireKey, <Wire of={review.wireKey} />],
          [names.run, review.run && <a href={link(pathTo("runs", review.run))}>{review.runKey ?? review.run}</a>],
          [names.destination, review.destination],
          [names.kind, review.kind],
          [names.guard, text.review.guards[review.guard] ?? review.guard],
          [names.sent, review.firstSentAt && <Time at={review.firstSentAt} />],
          [names.since, review.since && <Time at={review.since} isRelative />],
          [names.attempts, String(review.attempts)],
          [names.revision, String(review.revision)],
          [names.externalId, review.externalId && <code>{review.externalId}</code>],
        ]}
      />
    </div>
  );
}

function Wire({ of }: { of: string }) {
  return (
    <span class="wire">
      <code>{of}</code> <Copy label={text.copy.value} of={() => of} class="small" />
    </span>
  );
}
