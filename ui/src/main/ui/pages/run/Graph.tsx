import { h, type ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import { useCall } from "../../api/use.ts";
import { Show } from "../../components/Show.tsx";
import { setQuery } from "../../core/router.ts";
import { text } from "../../text.ts";
import type { RunData } from "./RunHead.tsx";
import type { Row } from "./timeline.ts";
import type { Read } from "./useTimeline.ts";

const TAGS = new Set(["svg", "g", "rect", "path", "text", "title"]);
const ATTRIBUTES = new Set(["class", "d", "x", "y", "width", "height", "rx", "transform", "text-anchor", "viewBox"]);
const WORST = ["review", "doubt", "failed", "retrying", "waiting", "pending", "reused", "skipped", "done"];

/** How each step that the run has reached stands: the worst of its items and rounds. */
export function statesOf(rows: readonly Row[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const row of rows) {
    if (row.step === null || row.isUndo) continue;
    const known = found.get(row.step);
    if (known === undefined || WORST.indexOf(row.state) < WORST.indexOf(known)) found.set(row.step, row.state);
  }
  return found;
}

/** Builds the picture of the server from its own shapes: nothing else in it is taken. */
function built(element: Element, states: Map<string, string>, onStep: (step: string) => void): ComponentChild {
  if (!TAGS.has(element.localName)) return null;
  const props: Record<string, unknown> = {};
  for (const { name, value } of element.attributes) if (ATTRIBUTES.has(name)) props[name] = value;
  const step = element.getAttribute("data-step");
  if (step !== null) {
    const state = states.get(step);
    props.class = props.class + (state ? " taken s-" + state : " left");
    if (state) props.onClick = () => onStep(step);
  }
  if (element.localName === "svg") props.role = "img";
  const children = element.children.length > 0 ? [...element.children].map((one) => built(one, states, onStep)) : element.textContent;
  return h(element.localName, props, children as ComponentChild);
}

/** The flow as a graph, with the path that this run has taken. */
export function Graph({ run, read }: { run: RunData; read: Read }) {
  const picture = useCall("GET /api/flows/{flow}/releases/{release}/picture", { path: { flow: run.flow, release: String(run.release) } });
  const states = useMemo(() => statesOf(read.timeline.rows), [read.version, read.timeline]);
  return (
    <section class="run-graph">
      <p class="muted small-text graph-legend">{text.run.graphHint}</p>
      <Show of={picture}>{(svg) => <Picture svg={String(svg)} states={states} />}</Show>
    </section>
  );
}

function Picture({ svg, states }: { svg: string; states: Map<string, string> }) {
  // Its own style is for a picture that is opened by itself, and our policy refuses it even in a document that is only read.
  const root = useMemo(() => new DOMParser().parseFromString(svg.replace(/<style>[^<]*<\/style>/, ""), "image/svg+xml").documentElement, [svg]);
  return (
    <div class="graph-frame" tabIndex={0} role="region" aria-label={text.run.graph}>
      {built(root, states, (step) => setQuery({ tab: null, find: step, step: null }))}
    </div>
  );
}
