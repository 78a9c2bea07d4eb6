import "./flow-graph.css";
import { h, type ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import { text } from "../text.ts";

const TAGS = new Set(["svg", "g", "rect", "path", "text", "title"]);
const ATTRIBUTES = new Set(["class", "d", "x", "y", "width", "height", "rx", "transform", "text-anchor", "viewBox"]);

const WIDEST_TO_FIT = 560;

/** Which steps were reached, each with its state, and what a click on one does. */
export interface Path {
  states: ReadonlyMap<string, string>;
  onStep: (step: string) => void;
}

/** Builds the picture of the server from its own shapes: nothing else in it is taken. */
function built(element: Element, path: Path | null, label: string): ComponentChild {
  if (!TAGS.has(element.localName)) return null;
  const props: Record<string, unknown> = {};
  for (const { name, value } of element.attributes) if (ATTRIBUTES.has(name)) props[name] = value;
  const step = element.getAttribute("data-step");
  if (step !== null && path) {
    const state = path.states.get(step);
    props.class = props.class + (state ? " taken s-" + state : " left");
    if (state) {
      props.onClick = () => path.onStep(step);
      props.onKeyDown = (event: KeyboardEvent) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        path.onStep(step);
      };
      props.tabindex = 0;
      props.role = "link";
      props["aria-label"] = step + ": " + (text.status[state] ?? state);
    }
  }
  if (element.localName === "svg") {
    if (path) props.role = "group";
    else props.role = "img";
    props["aria-label"] = label;
    // A small picture fits in a phone; a wide one is scrolled, because its words would be too small.
    if (Number(element.getAttribute("width")) <= WIDEST_TO_FIT) props.style = { maxWidth: "100%", height: "auto" };
  }
  const children = element.children.length > 0 ? [...element.children].map((one) => built(one, path, label)) : element.textContent;
  return h(element.localName, props, children as ComponentChild);
}

/** A flow as a graph in the colours of the design, with the path that a run has taken, if one is given. */
export function FlowGraph({ svg, label, path = null }: { svg: string; label: string; path?: Path | null }) {
  // Its own style is for a picture that is opened by itself, and our policy refuses it even in a document that is only read.
  const root = useMemo(() => new DOMParser().parseFromString(svg.replace(/<style>[^<]*<\/style>/, ""), "image/svg+xml").documentElement, [svg]);
  return (
    <div class={"graph-frame" + (path ? " of-run" : "")} tabIndex={0} role="region" aria-label={label}>
      {built(root, path, label)}
    </div>
  );
}
