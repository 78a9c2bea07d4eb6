import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Time } from "../../components/Time.tsx";
import { text } from "../../text.ts";

const words = text.run.kept;

/** Until when a run is kept, and why; only an admin may know. */
export function Kept({ id }: { id: string }) {
  const kept = useCall("GET /api/retention/{id}", may("admin") ? { path: { id } } : null, (event) => event.run === id);
  if (!kept.data) return null;
  return (
    <section>
      <h2>{words.title}</h2>
      {kept.data.until && (
        <p>
          {words.until} <Time at={kept.data.until} /> <span class="muted">(<Time at={kept.data.until} isRelative />)</span>
        </p>
      )}
      <ul class="kept-because muted">
        {kept.data.because.map((one, i) => (
          <li key={i}>{one.text}</li>
        ))}
      </ul>
    </section>
  );
}
