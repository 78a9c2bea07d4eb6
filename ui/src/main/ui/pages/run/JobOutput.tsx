import { Facts } from "../../components/Facts.tsx";
import { addressOf } from "../../api/client.ts";
import { bytes } from "../../core/format.ts";
import { text } from "../../text.ts";

const words = text.run.job;
/** The end of an output says what became of the job. */
const MOST = 4000;

interface Job {
  exit: unknown;
  state: unknown;
  streams: [name: string, content: unknown][];
}

/** Reads what a job on another machine has written; null if this is no such output. */
export function jobOf(output: unknown): Job | null {
  if (output === null || typeof output !== "object" || !("stdout" in output) || !("stderr" in output)) return null;
  const { exit, state, stdout, stderr } = output as Record<string, unknown>;
  return { exit: exit ?? null, state: state ?? null, streams: [["stdout", stdout], ["stderr", stderr]] };
}

/** What a job on another machine wrote, as it looked there. */
export function JobOutput({ of }: { of: Job }) {
  return (
    <section class="job-output">
      <h3>{words.title}</h3>
      <Facts of={[[words.exit, of.exit === null ? null : String(of.exit)], [words.state, of.state === null ? null : String(of.state)]]} />
      {of.streams.map(([name, content]) => (
        <Stream key={name} name={name} content={content} />
      ))}
    </section>
  );
}

function Stream({ name, content }: { name: string; content: unknown }) {
  if (typeof content === "string") {
    if (content === "") return null;
    return (
      <figure class="job-stream">
        <figcaption>
          {name} <span class="muted">{content.length > MOST ? words.end(bytes(MOST), bytes(content.length)) : bytes(content.length)}</span>
        </figcaption>
        <pre tabIndex={0} aria-label={name}>
          {content.slice(-MOST)}
        </pre>
      </figure>
    );
  }
  const ref = content !== null && typeof content === "object" && "ref" in content ? String(content.ref) : "";
  if (!ref.startsWith("res://")) return null;
  return (
    <p>
      {name}{" "}
      <a href={addressOf("GET /api/resources/{hash}", { path: { hash: ref.slice("res://".length) } })} download>
        {words.download}
      </a>
    </p>
  );
}
