import "./desk.css";
import type { Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Empty } from "../../components/Empty.tsx";
import { More } from "../../components/More.tsx";
import { Show } from "../../components/Show.tsx";
import { TextFilter } from "../../components/TextFilter.tsx";
import { Time } from "../../components/Time.tsx";
import { link, pathTo, setQuery, usePlace } from "../../core/router.ts";
import { useRows } from "../../core/rows.ts";
import { text } from "../../text.ts";

type Approval = Answer<"GET /api/approvals">["items"][number];

const STATES = ["open", "decided", "expired", "closed"];
const always = () => true;

/** The questions that runs ask people. */
export function DeskPage() {
  const { query } = usePlace();
  const state = query.get("state") ?? "open";
  const role = query.get("role") ?? "";
  const approvals = usePaged("GET /api/approvals", { query: { state, role, limit: "50" } }, (page) => page.items, always);
  const items = approvals.data?.items ?? [];
  const { selected, list } = useRows(items.map((one) => link(pathTo("desk", one.id))));
  const words = text.desk;
  return (
    <div class="page desk">
      <header class="page-title">
        <h1>{words.title}</h1>
      </header>
      <div class="desk-filters">
        <div class="segments" role="group" aria-label={words.state}>
          {STATES.map((one) => (
            <button type="button" key={one} aria-pressed={one === state} onClick={() => setQuery({ state: one === "open" ? null : one })}>
              {words.states[one]}
            </button>
          ))}
        </div>
        <TextFilter label={words.role} value={role} onValue={(next) => setQuery({ role: next })} />
      </div>
      <Show of={approvals}>
        {() =>
          items.length > 0 ? (
            <>
              <ul class="rows" ref={list} aria-label={words.title}>
                {items.map((one, i) => (
                  <li key={one.id} class={i === selected ? "selected" : ""}>
                    <Row approval={one} />
                  </li>
                ))}
              </ul>
              <More of={approvals} />
            </>
          ) : state === "open" && !role ? (
            <Empty title={words.empty} hint={words.emptyHint} command={words.emptyCommand} />
          ) : (
            <Empty title={words.noneIn}>
              <a class="button" href={link("/desk")}>
                {text.runs.clear}
              </a>
            </Empty>
          )
        }
      </Show>
    </div>
  );
}

function Row({ approval }: { approval: Approval }) {
  const words = text.desk;
  const run = useCall("GET /api/runs/{id}", may("runs:read") ? { path: { id: approval.run }, query: { payloads: "preview" } } : null);
  const decision = approval.decision;
  return (
    <a class="ask-row" href={link(pathTo("desk", approval.id))}>
      <span class="ask-text">{approval.ask}</span>
      <span class="ask-about muted small-text">
        {run.data && (
          <span>
            {run.data.flow} › {approval.step} · <span class="mono">{run.data.key}</span>
          </span>
        )}
        {approval.roles.length > 0 && <span>{words.roles(approval.roles.join(", "))}</span>}
        {decision && <span>{words.decidedBy(words.choices[decision.decision]?.past ?? decision.decision, decision.by ?? words.someone)}</span>}
      </span>
      <span class="ask-side muted">
        <span>
          {words.asked.toLowerCase()} <Time at={approval.askedAt} isRelative />
        </span>
        {approval.state === "open" && approval.expiresAt && (
          <span class="ask-expires">
            {words.expires.toLowerCase()} <Time at={approval.expiresAt} isRelative />
          </span>
        )}
      </span>
    </a>
  );
}
