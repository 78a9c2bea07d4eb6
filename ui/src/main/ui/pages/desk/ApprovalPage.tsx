import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Facts } from "../../components/Facts.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { Payload } from "../../components/Payload.tsx";
import { Show } from "../../components/Show.tsx";
import { Time } from "../../components/Time.tsx";
import { Title } from "../../components/Title.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { Decide, type Choice } from "./Decide.tsx";

export type Approval = Answer<"GET /api/approvals/{id}">;

/** One question: what it is about, and the answers that can be given. Looking at it decides nothing. */
export function ApprovalPage({ id }: { id: string }) {
  const [run, setRun] = useState<string | null>(null);
  const approval = useCall("GET /api/approvals/{id}", { path: { id } }, (event) => event.run === run);
  if (approval.data && approval.data.run !== run) setRun(approval.data.run);
  return <Show of={approval}>{(data) => <Whole approval={data} onChange={approval.reload} />}</Show>;
}

function Whole({ approval, onChange }: { approval: Approval; onChange: () => void }) {
  const [choice, choose] = useState<Choice | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const run = useCall("GET /api/runs/{id}", may("runs:read") ? { path: { id: approval.run }, query: { payloads: "preview" } } : null);
  const isLeft = run.data?.inputBytes != null;
  const whole = useCall("GET /api/runs/{id}", isLeft && choice === "rework" ? { path: { id: approval.run } } : null);
  const isReady = choice !== "rework" || !isLeft || whole.data !== undefined || whole.problem !== undefined;
  const words = text.desk;
  const choices: Choice[] = approval.canRework ? ["approve", "reject", "rework"] : ["approve", "reject"];
  const isOpen = approval.state === "open";
  return (
    <article class="page desk ask">
      <Title of={approval.ask} />
      <p class="crumbs">
        <a href={link("/desk")}>{words.title}</a> {run.data && <>› {run.data.flow} › </>}
        {approval.step + (approval.item ? " · " + approval.item : "")}
      </p>
      <h1 class="ask-title">{approval.ask}</h1>
      {note && (
        <p class="notice tone-warn" role="alert">
          {note}
        </p>
      )}
      {!isOpen && <Over approval={approval} />}
      {isOpen && !may("approvals:decide") && <p class="notice tone-quiet">{words.noScope}</p>}
      {isOpen && may("approvals:decide") && !approval.link && <p class="notice tone-quiet">{words.notYours(approval.roles.join(", "))}</p>}
      {isOpen && approval.link && (
        <div class="ask-choices">
          {choices.map((one) => (
            <button type="button" key={one} class={"button large " + (one === "approve" ? "primary" : one === "reject" ? "danger" : "")} onClick={() => choose(one)}>
              {words.choices[one]!.name}
            </button>
          ))}
        </div>
      )}
      <section class="ask-about-it">
        <h2>{words.context}</h2>
        <div class="facts-grid">
          <Facts
            of={[
              [words.run, <a href={link(pathTo("runs", approval.run))}>{run.data?.key ?? approval.run}</a>],
              [words.flow, run.data?.flow],
              [words.asked, <Time at={approval.askedAt} isRelative />],
              [isOpen ? words.expires : words.expired, (isOpen || approval.state === "expired") && approval.expiresAt && <Time at={approval.expiresAt} isRelative />],
              [words.role, approval.roles.join(", ")],
              [words.round, approval.round > 1 && String(approval.round)],
            ]}
          />
        </div>
        {approval.notByStarter && <p class="muted ask-second">{words.second}</p>}
      </section>
      {run.data && (
        <Payload
          title={words.input}
          value={run.data.input}
          left={run.data.inputBytes}
          load={async () => (await call("GET /api/runs/{id}", { path: { id: approval.run } })).input}
        />
      )}
      {choice && isReady && (
        <Decide
          approval={approval}
          choice={choice}
          flow={run.data?.flow}
          input={isLeft ? whole.data?.input : run.data?.input}
          onClose={() => choose(null)}
          onDone={(other) => {
            setNote(other);
            onChange();
          }}
        />
      )}
    </article>
  );
}

/** What became of a question that is no longer open. */
function Over({ approval }: { approval: Approval }) {
  const words = text.desk;
  const decision = approval.decision;
  if (!decision) return <p class="notice tone-quiet">{approval.state === "expired" ? words.wasExpired : words.closed}</p>;
  const choice = words.choices[decision.decision];
  return (
    <section class={"notice tone-" + (decision.decision === "approve" ? "good" : decision.decision === "reject" ? "bad" : "warn")}>
      <strong>{words.decidedBy(choice?.past ?? decision.decision, decision.by ?? words.someone)}</strong>
      {decision.claimed && <p>{words.claimed}</p>}
      {decision.comment && <p class="ask-comment">{decision.comment}</p>}
      {decision.values != null && <JsonView title={words.values} value={decision.values} />}
    </section>
  );
}
