import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call, exchange, type Answer } from "../../api/client.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Check, Field } from "../../components/Field.tsx";
import { Refusal } from "../../components/Refusal.tsx";
import { Show } from "../../components/Show.tsx";
import { Time } from "../../components/Time.tsx";
import { toast } from "../../components/Toasts.tsx";
import { plural } from "../../core/format.ts";
import { link } from "../../core/router.ts";
import { text } from "../../text.ts";
import type { FlowData } from "./FlowSummary.tsx";

type Finding = Answer<"GET /api/flows/{flow}/draft/findings">["items"][number];

const words = text.flow;

/** The draft with what check finds, beside its lines. */
export function DraftText({ flow, onChange }: { flow: FlowData; onChange: () => void }) {
  const path = { flow: flow.flow };
  const draft = useCall("GET /api/flows/{flow}/draft", { path });
  const findings = useCall("GET /api/flows/{flow}/draft/findings", { path });
  const [isEdited, edit] = useState(false);
  const [isReleased, release] = useState(false);
  const reload = () => {
    draft.reload();
    findings.reload();
    onChange();
  };
  const found = findings.data?.items ?? [];
  const errors = found.filter((one) => one.level === "error").length;
  return (
    <section class="draft">
      <div class="filter-bar">
        <span class={"badge tone-" + (errors ? "bad" : found.length ? "warn" : "good")}>
          {findings.data ? (found.length ? plural(found.length, words.finding, words.findings) : words.noFindings) : text.state.loading}
        </span>
        <span class="muted">
          {flow.draft!.author} · <Time at={flow.draft!.updatedAt} />
        </span>
        <span class="draft-actions">
          {may("runs:write") && errors === 0 && (
            <a class="button small" href={link("/flows/" + encodeURIComponent(flow.flow), { tab: "start", draft: 1 })}>
              {words.runDraft}
            </a>
          )}
          {may("flows:write") && !isEdited && (
            <>
              <button type="button" class="button small" onClick={() => edit(true)}>
                {words.edit}
              </button>
              <button type="button" class="button small primary" disabled={errors > 0} onClick={() => release(true)}>
                {words.makeRelease}
              </button>
            </>
          )}
        </span>
      </div>
      {errors > 0 && !isEdited && (
        <ul class="source-list">
          {found
            .filter((one) => one.level === "error")
            .map((one, i) => (
              <li key={i}>
                <a href={"#line-" + one.line}>
                  <span class="tone-bad">{words.line(one.line)}</span>
                  <span>{one.message}</span>
                </a>
              </li>
            ))}
        </ul>
      )}
      {findings.problem && <Refusal of={findings.problem} />}
      {isEdited ? (
        <Editor
          flow={flow.flow}
          onClose={() => {
            edit(false);
            reload();
          }}
        />
      ) : (
        <Show of={draft}>{(yaml) => <Lines of={yaml} findings={found} />}</Show>
      )}
      {isReleased && <Release flow={flow.flow} onClose={() => release(false)} onChange={reload} />}
    </section>
  );
}

function Lines({ of, findings }: { of: string; findings: Finding[] }) {
  const lines = of.replace(/\n$/, "").split("\n");
  return (
    <div class="source" tabIndex={0} role="region" aria-label={words.draft}>
      {lines.map((line, i) => {
        const found = findings.filter((one) => Math.min(Math.max(one.line, 1), lines.length) === i + 1);
        return (
          <div key={i} id={"line-" + (i + 1)} class={"source-line" + (found.length ? " noted tone-" + (found.some((one) => one.level === "error") ? "bad" : "warn") : "")}>
            <span class="source-number" aria-hidden="true">
              {i + 1}
            </span>
            <code>{line ? <Coloured of={line} /> : " "}</code>
            {found.map((one, n) => (
              <p class="source-finding" key={n}>
                <strong>{one.level}</strong> {one.message} {one.fix && <em>{one.fix}</em>} <span class="muted">{one.rule}</span>
              </p>
            ))}
          </div>
        );
      })}
    </div>
  );
}

const YAML = /^(\s*(?:- )?\{?\s*)([\w$.-]+:)(?=\s|$)|("(?:[^"\\]|\\.)*"|'[^']*')|((?:^|\s)#.*$)|([\w-]+:)(?= )/g;

/** A line with its names, texts and comments in colours. What is not understood stays as it is. */
function Coloured({ of }: { of: string }) {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const found of of.matchAll(YAML)) {
    const [all, margin, name, quoted, note, inner] = found;
    parts.push(of.slice(at, found.index), margin, <span class={quoted ? "source-text" : note ? "source-note" : "source-key"}>{name ?? quoted ?? note ?? inner}</span>);
    at = found.index + all.length;
  }
  return (
    <>
      {parts}
      {of.slice(at)}
    </>
  );
}

/** Writes the draft, if no one else has since it was read. */
function Editor({ flow, onClose }: { flow: string; onClose: () => void }) {
  const [yaml, setYaml] = useState<string | null>(null);
  const [etag, setEtag] = useState("");
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => {
    exchange("GET /api/flows/{flow}/draft", { path: { flow } })
      .then((reply) => {
        setEtag(reply.header("ETag") ?? "");
        setYaml(reply.answer);
      })
      .catch(setProblem);
  }, []);
  const save = async (event: Event) => {
    event.preventDefault();
    setProblem(null);
    try {
      await call("PUT /api/flows/{flow}/draft", { path: { flow }, text: yaml!, type: "application/yaml" }, { "If-Match": etag });
      toast(words.draftSaved);
      onClose();
    } catch (failure) {
      setProblem(failure);
    }
  };
  return (
    <form class="draft" onSubmit={save}>
      <p class="muted">{words.editSays}</p>
      {yaml !== null && <Field label={words.draft} value={yaml} onValue={setYaml} lines={Math.min(40, yaml.split("\n").length + 2)} mono />}
      {problem !== null && <Refusal of={problem} />}
      <div class="filter-bar">
        <button class="button primary" disabled={yaml === null}>
          {words.save}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {text.dialog.cancel}
        </button>
      </div>
    </form>
  );
}

function Release({ flow, onClose, onChange }: { flow: string; onClose: () => void; onChange: () => void }) {
  const [note, setNote] = useState("");
  const [allowMissing, allow] = useState(false);
  const release = async () => {
    const made = await call("POST /api/flows/{flow}/releases", { path: { flow }, body: { note, allowMissing } });
    toast(words.isReleased(made.release));
    onChange();
  };
  return (
    <Confirm
      action={{
        title: words.releaseTitle,
        says: (
          <div class="promote-says">
            <p>{words.releaseSays}</p>
            <Field label={words.note} value={note} onValue={setNote} />
            <Check label={words.allowMissing} value={allowMissing} onValue={allow} />
          </div>
        ),
        label: words.makeRelease,
        run: release,
      }}
      onClose={onClose}
    />
  );
}
