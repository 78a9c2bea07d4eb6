import { useState } from "preact/hooks";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { RawJson, SchemaForm } from "../../components/SchemaForm.tsx";
import { ValueForm, type Edited } from "../../components/ValueForm.tsx";
import { kindOf, resolved, written, type Schema } from "../../core/schema.ts";
import { text } from "../../text.ts";
import type { Approval } from "./ApprovalPage.tsx";
import { reworked } from "./reworked.ts";

interface Shown {
  approval: Approval;
  flow: string | undefined;
  /** The input of the run. */
  input: unknown;
  onEdit: (edited: Edited) => void;
}

/** The values that a rework gives the run: fields by the input's schema, filled as the last round left them. */
export function ReworkValues({ approval, flow, input, onEdit }: Shown) {
  const taken = useCall("GET /api/flows/{flow}/input", flow && may("flows:read") ? { path: { flow } } : null);
  const before = useCall("GET /api/approvals", approval.round > 1 ? { query: { state: "decided", limit: "200" } } : null);
  if (taken.isLoading || before.isLoading) return <p class="loading">{text.state.loading}</p>;
  const value = reworked(approval, before.data?.items ?? [], input);
  const schema = (taken.data?.schema ?? null) as Schema | null;
  return schema && kindOf(resolved(schema, schema)) === "object" ? (
    <BySchema schema={schema} begin={value} onEdit={onEdit} />
  ) : (
    <ValueForm value={value} onEdit={onEdit} />
  );
}

function BySchema({ schema, begin, onEdit }: { schema: Schema; begin: unknown; onEdit: (edited: Edited) => void }) {
  const [value, setValue] = useState(begin);
  const [isRaw, setRaw] = useState(false);
  const edit = (next: unknown) => {
    setValue(next);
    onEdit(next === undefined ? { problem: text.form.notJson } : { json: written(next) });
  };
  return (
    <div class="values">
      {isRaw ? (
        <RawJson schema={{}} root={{}} name={text.desk.values} depth={0} isRequired value={value} onValue={edit} />
      ) : (
        <SchemaForm schema={schema} value={value} onValue={edit} />
      )}
      <button type="button" class="link" disabled={value === undefined} onClick={() => setRaw(!isRaw)}>
        {isRaw ? text.desk.asForm : text.desk.asJson}
      </button>
    </div>
  );
}
