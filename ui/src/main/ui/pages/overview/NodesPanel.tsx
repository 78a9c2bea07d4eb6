import { useCall } from "../../api/use.ts";
import { Show } from "../../components/Show.tsx";
import { plural } from "../../core/format.ts";
import { link } from "../../core/router.ts";
import { text } from "../../text.ts";

/** How many nodes there are, and what they have in memory. */
export function NodesPanel() {
  const nodes = useCall("GET /api/nodes", {});
  if (nodes.problem?.status === 403) return null;
  return (
    <section class="panel overview-part">
      <h2>{text.nodes.title}</h2>
      <Show of={nodes}>
        {(list) => (
          <ul class="bars">
            {list.items.map((one) => (
              <li key={one.node}>
                <span>
                  <a href={link("/nodes")}>{text.nodes.name(one.node)}</a>
                </span>
                <a class="muted" href={link("/runs", { status: "running" })}>
                  {plural(one.runsInMemory, "run") + " " + text.nodes.inMemory}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Show>
    </section>
  );
}
