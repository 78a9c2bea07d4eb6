import { Copy } from "../../components/Copy.tsx";
import { text } from "../../text.ts";

const words = text.overview.first;

/** What to run next on a server that has nothing to show. */
export function FirstSteps() {
  return (
    <section class="panel overview-part first-steps">
      <h2>{words.title}</h2>
      <p class="muted">{words.says}</p>
      <ol>
        {words.steps.map(([says, command]) => (
          <li key={command}>
            <span>{says}</span>
            <code>{command}</code>
            <Copy label={text.copy.value} of={() => command} class="small" />
          </li>
        ))}
      </ol>
    </section>
  );
}
