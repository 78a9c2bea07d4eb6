import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Diff } from "../../components/Diff.tsx";
import { Facts } from "../../components/Facts.tsx";
import { JsonView } from "../../components/JsonView.tsx";
import { Show } from "../../components/Show.tsx";
import { Time } from "../../components/Time.tsx";
import { duration, plainly, shortened } from "../../core/format.ts";
import { inWords } from "../../core/time.ts";
import { print } from "../../core/json.ts";
import { narrow } from "../../core/narrow.ts";
import { link, pathTo, setQuery } from "../../core/router.ts";
import { text } from "../../text.ts";
import { Attempts } from "./Attempts.tsx";
import { JobOutput, jobOf } from "./JobOutput.tsx";
import { ModelAnswer } from "./ModelAnswer.tsx";
import { modelUse } from "./model.ts";
import { mayReplay, type RunData } from "./RunHead.tsx";
import { others } from "./others.ts";
import { nameOf, toneOfRow } from "./TimelineView.tsx";
import type { Entry, Row, Timeline } from "./timeline.ts";

const MOST_TWINS = 100;
const MOST_ENTRIES = 60;
/** Such a key, of a question to a model, says no more by all its digits. */
const HASH = /^[0-9a-f]{64}$/;
const CHILD = /run (\S+) of flow/;

/** All that is known about a step: its key, its attempts, its doubt and how that was settled, its values. */
export function Inspector({ run, row, timeline, version }: { run: RunData; row: Row; timeline: Timeline; version: number }) {
  const words = text.run;
  const { name, about } = nameOf(row);
  const find = <K extends keyof Entry>(member: K) => row.entries.findLast((entry) => entry[member] != null)?.[member];
  const output = row.entries.findLast((entry) => entry.output !== undefined && entry.output !== null);
  const error = row.state === "failed" ? row.entries.findLast((entry) => entry.error)?.error : null;
  const reusedFrom = find("reusedFrom");
  const child = row.entries.map((entry) => CHILD.exec(entry.decision ?? "")?.[1]).find(Boolean);
  const twins = useMemo(
    () => (row.step === null ? [] : timeline.rows.filter((other) => other !== row && other.step === row.step && other.entries.some((entry) => entry.output != null)).slice(0, MOST_TWINS)),
    [row, timeline, version],
  );
  const use = useMemo(() => modelUse(output?.output), [output]);
  const job = useMemo(() => jobOf(output?.output), [output]);
  const tries = row.segments.filter((one) => one.attempt !== null && one.span === "sent" && one.to !== null);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // below the timeline, it would open out of sight
    if (narrow.get()) panel.current?.scrollIntoView({ block: "nearest" });
  }, [row.id]);
  return (
    <aside ref={panel} class={"tl-open tone-" + toneOfRow(row)} aria-label={name}>
      <header>
        <span class={"status tone-" + toneOfRow(row)}>
          <span class="status-mark" aria-hidden="true" />
          {text.run.states[row.state] ?? text.status[row.state] ?? row.state}
        </span>
        <button type="button" class="button small" aria-label={words.closeStep} onClick={() => setQuery({ step: null })}>
          ×
        </button>
        <h2>
          {name} <bdi class="muted">{about}</bdi>
        </h2>
      </header>
      {error && (
        <p class="notice tone-bad">
          <strong>{error.code}</strong> {error.message}
        </p>
      )}
      {reusedFrom && (
        <p class="notice tone-calm">
          {words.reusedFrom} <a href={link(pathTo("runs", reusedFrom))}>{reusedFrom}</a>
        </p>
      )}
      <Facts
        of={[
          [words.facts.key, row.key && <bdi class="mono" title={row.key}>{HASH.test(row.key) ? shortened(row.key, 24) : row.key}</bdi>],
          [words.facts.wireKey, find("wireKey") && <span class="mono">{find("wireKey")}</span>],
          [words.facts.guard, find("guard")],
          [words.facts.revision, (find("revision") ?? 1) > 1 && find("revision")],
          [words.facts.branch, find("branch")],
          [words.facts.attempts, row.attempts > 0 && row.attempts],
          [words.facts.tries, tries.length > 1 && tries.map((one) => duration(one.to! - one.from)).join(", ")],
          [words.facts.next, row.state === "retrying" || row.state === "doubt" || row.state === "waiting" ? row.entries.at(-1)?.waitUntil && <Time at={row.entries.at(-1)!.waitUntil!} isRelative /> : null],
          [words.facts.child, child && <a href={link(pathTo("runs", child))}>{child}</a>],
          [words.facts.effect, row.effect && may("effects:read") && <a href={link(pathTo("ledger", row.effect))}>{words.ledger}</a>],
        ]}
      />
      <div class="tl-actions">
        {row.state === "review" && row.effect && (
          <a class="button primary" href={link(pathTo("reviews", row.effect))}>
            {words.settle}
          </a>
        )}
        {row.step && !row.isUndo && mayReplay(run, timeline) && may("runs:write") && (
          <a class="button" href={link("/replays", { runs: run.id, from: row.step, item: row.item })}>
            {words.rerun}
          </a>
        )}
      </div>
      {use && <ModelAnswer of={use} isReused={row.state === "reused"} />}
      {job && <JobOutput of={job} />}
      <section>
        <h3>{words.happened}</h3>
        <ol class="tl-story">
          {row.entries.slice(0, MOST_ENTRIES).map((entry) => (
            <Line key={entry.seq} entry={entry} />
          ))}
          {row.entries.length > MOST_ENTRIES && <li class="muted">{words.moreEntries(row.entries.length - MOST_ENTRIES)}</li>}
        </ol>
      </section>
      {output && <JsonView key={row.id + output.seq} title={words.output} value={output.output} />}
      {row.effect && may("effects:read") && <EffectValues id={row.effect} run={run.id} hasOutput={!!output} />}
      <Attempts key={row.id + " attempts"} row={row} />
      {output && twins.length > 0 && <Compare key={row.id} row={row} twins={twins} />}
    </aside>
  );
}

function Line({ entry }: { entry: Entry }) {
  const words = text.run;
  const about = [entry.branch && words.branch(entry.branch), entry.decision, entry.evidence, entry.error?.message].filter((one) => !!one).map((one) => inWords(plainly(one!)));
  return (
    <li>
      <span class="muted">
        <Time at={entry.at} />
      </span>
      <span>
        <strong>{words.entries[entry.type] ?? entry.type}</strong>
        {entry.attempt ? <span class="muted"> {words.attempt(entry.attempt)}</span> : null}
        {others(entry).map(([name, value]) => (
          <span class="tl-why" key={name}>
            {name} <bdi class="mono">{value}</bdi>
          </span>
        ))}
        {about.map((one, i) => (
          <span class="tl-why" key={i}>
            {one}
          </span>
        ))}
        {entry.waitUntil && (
          <span class="tl-why">
            {words.until} <Time at={entry.waitUntil} />
          </span>
        )}
      </span>
    </li>
  );
}

/** The request and the answer of an effect, as the ledger has them. */
function EffectValues({ id, run, hasOutput }: { id: string; run: string; hasOutput: boolean }) {
  const effect = useCall("GET /api/effects/{id}", { path: { id } }, (event) => event.run === run);
  return (
    <Show of={effect}>
      {(one) => (
        <>
          {one.externalId && <Facts of={[[text.run.facts.externalId, <bdi class="mono">{one.externalId}</bdi>]]} />}
          <JsonView key={id + "-request"} title={text.run.request} value={one.request} />
          {!hasOutput && one.result !== null && <JsonView key={id + "-result"} title={text.run.answer} value={one.result} />}
        </>
      )}
    </Show>
  );
}

/** What is different in another item, round or attempt of the same step. */
function Compare({ row, twins }: { row: Row; twins: Row[] }) {
  const [chosen, choose] = useState("");
  const twin = twins.find((one) => one.id === chosen);
  const valueOf = (one: Row) => print(one.entries.findLast((entry) => entry.output != null)?.output);
  return (
    <section>
      <label class="field">
        <span>{text.run.compare}</span>
        <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">{text.run.compareNone}</option>
          {twins.map((one) => (
            <option key={one.id} value={one.id}>
              {[nameOf(one).name, nameOf(one).about].filter(Boolean).join(" · ")}
            </option>
          ))}
        </select>
      </label>
      {twin && <Diff before={valueOf(twin)} after={valueOf(row)} />}
    </section>
  );
}
