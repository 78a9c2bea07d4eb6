import { useState } from "preact/hooks";
import { call } from "../../api/client.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Field } from "../../components/Field.tsx";
import { toast } from "../../components/Toasts.tsx";
import { text } from "../../text.ts";
import type { QueueItem } from "./QueuesPage.tsx";

const words = text.queues;

/** Lets the messages since a time come again. Those that came before start nothing. */
export function Seek({ of, onChange, onClose }: { of: QueueItem; onChange: () => void; onClose: () => void }) {
  const [since, setSince] = useState("");
  const run = async () => {
    const sought = await call("POST /api/queues/{name}/seek", { path: { name: of.name }, body: { since: new Date(since).toISOString() } });
    toast(words.sought(sought.messages));
    onChange();
  };
  const says = (
    <div class="dialog-fields">
      <p>{words.seekSays}</p>
      <Field label={words.since} type="datetime-local" value={since} onValue={setSince} required />
    </div>
  );
  return <Confirm action={{ title: words.seekTitle(of.name), says, label: words.seekDo, run }} onClose={onClose} />;
}
