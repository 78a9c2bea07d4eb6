import type { Answer } from "../../api/client.ts";
import { Status } from "../../components/Status.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

type Other = NonNullable<Answer<"GET /api/reviews/{id}">["others"]>[number];

/** What else the run has done: it often tells what became of this one. */
export function Others({ of, run }: { of: Other[]; run: string | null }) {
  return (
    <section>
      <h2>{text.review.others}</h2>
      {of.length === 0 && <p class="muted">{text.review.noOthers}</p>}
      <ul class="others">
        {of.map((one) => (
          <li key={one.id}>
            <span class="cut">
              {one.step + (one.item ? " · " + one.item : "")} <span class="mono muted">{one.key}</span>
            </span>
            <Status of={one.state} />
          </li>
        ))}
      </ul>
      {run && <a href={link(pathTo("runs", run))}>{text.review.toRun}</a>}
    </section>
  );
}
