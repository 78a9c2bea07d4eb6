import "./ledger.css";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Copy } from "../../components/Copy.tsx";
import { Facts } from "../../components/Facts.tsx";
import { Menu } from "../../components/Menu.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { Title } from "../../components/Title.tsx";
import { Time } from "../../components/Time.tsx";
import { plainly } from "../../core/format.ts";
import { inWords } from "../../core/time.ts";
import { base } from "../../core/place.ts";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { Attempts } from "../review/Attempts.tsx";

type Review = Answer<"GET /api/reviews/{id}">;

const words = text.ledger;

/** Everything ever done under one effect key. */
export function EffectPage({ id }: { id: string }) {
  const [run, setRun] = useState<string | null>(null);
  const effect = useCall("GET /api/reviews/{id}", { path: { id } }, (event) => event.run === run);
  if (effect.data && effect.data.run !== run) setRun(effect.data.run);
  return <Show of={effect}>{(data) => <Whole effect={data} />}</Show>;
}

function Whole({ effect }: { effect: Review }) {
  const receipt = useCall("GET /api/receipts/{effect}", { path: { effect: effect.id } });
  const verdict = (receipt.data?.receipt as { verdict?: { says?: string } } | undefined)?.verdict?.says;
  return (
    <article class="page">
      <Title of={effect.key} />
      <p class="crumbs">
        <a href={link("/ledger")}>{words.title}</a> › <a href={link("/ledger", { name: effect.name })}>{effect.name}</a>
      </p>
      <header class="page-title">
        <h1 class="effect-key">{effect.key}</h1>
        <Status of={effect.state} />
        <div class="push">
          {effect.state === "review" && (
            <a class="button primary" href={link(pathTo("reviews", effect.id))}>
              {may("effects:settle") ? words.settle : words.openReview}
            </a>
          )}
          <a class="button" href={`${base}/api/receipts/${encodeURIComponent(effect.id)}?format=html`} target="_blank" rel="noreferrer">
            {words.receipt}
          </a>
          <Menu label={text.copy.more}>
            <Copy label={words.copyReceipt} of={() => JSON.stringify(receipt.data, null, 2)} />
            <Copy label={text.copy.cli} of={() => text.commands.effect(effect.id)} />
          </Menu>
        </div>
      </header>
      <p class="effect-says">{says(effect)}</p>
      {verdict && <p class="muted">{inWords(verdict)}</p>}
      {effect.evidence && (
        <p class={"notice tone-" + (effect.state === "review" || effect.state === "doubt" ? "ask" : "quiet")}>
          <strong>{words.evidence}</strong> {plainly(effect.evidence)}
        </p>
      )}
      <section>
        <h2>{words.identity}</h2>
        <div class="facts-grid">
          <Facts
          of={[
            [words.name, effect.name],
            [words.key, <code>{effect.key}</code>],
            [words.wireKey, <code class="wrap">{effect.wireKey}</code>],
            [words.externalId, effect.externalId && <code>{effect.externalId}</code>],
            [words.guard, text.review.guards[effect.guard] ?? effect.guard],
            [words.kind, effect.kind],
            [words.revision, effect.revision],
            [words.attempts, effect.attempts],
            [words.sent, effect.firstSentAt && <Time at={effect.firstSentAt} />],
            [words.destination, effect.destination],
          ]}
          />
        </div>
      </section>
      <section>
        <h2>{words.runs}</h2>
        <ul class="effect-runs">
          {effect.run ? (
            <li>
              <a href={link(pathTo("runs", effect.run))}>{effect.runKey ?? effect.run}</a> <span class="muted">{words.owner(effect.flow ?? "", effect.step + (effect.item ? " · " + effect.item : ""))}</span>
            </li>
          ) : (
            <li class="muted">{words.noRun}</li>
          )}
          <Reused of={receipt.data?.receipt} />
        </ul>
      </section>
      <section>
        <h2>{words.happened}</h2>
        <Attempts of={effect.history ?? []} />
      </section>
      <section class="effect-payloads">
        <h2>{words.payloads}</h2>
        <JsonView title={text.review.request} value={effect.request} isClosed />
        <JsonView title={text.review.answer} value={effect.result} isClosed />
        {receipt.data && <JsonView title={words.signed} value={receipt.data} isClosed />}
      </section>
    </article>
  );
}

/** Other runs that got the recorded result, as the receipt lists them. */
function Reused({ of }: { of: unknown }) {
  const runs = (of as { stopped?: { runs?: string[] } } | null | undefined)?.stopped?.runs ?? [];
  return (
    <>
      {runs.map((one) => (
        <li key={one}>
          <a href={link(pathTo("runs", one))}>{one}</a> <span class="muted">{words.reused}</span>
        </li>
      ))}
    </>
  );
}

function says(effect: Review): string {
  const times = words.times(effect.attempts);
  return words.says[effect.state as keyof typeof words.says]?.(times) ?? words.saysOther(times);
}
