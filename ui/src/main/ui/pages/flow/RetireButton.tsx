import { useState } from "preact/hooks";
import { call } from "../../api/client.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Check } from "../../components/Field.tsx";
import { toast } from "../../components/Toasts.tsx";
import { text } from "../../text.ts";
import type { FlowData } from "./FlowSummary.tsx";

const words = text.flow;

export function RetireButton({ flow, onChange }: { flow: FlowData; onChange: () => void }) {
  const [isAsked, ask] = useState(false);
  const [allowMissing, allow] = useState(false);
  const retire = async () => {
    await call("DELETE /api/flows/{flow}/live", { path: { flow: flow.flow }, query: allowMissing ? { allowMissing: "true" } : {} });
    toast(words.isRetired);
    onChange();
  };
  return (
    <>
      <button type="button" class="button" onClick={() => ask(true)}>
        {words.retire}
      </button>
      {isAsked && (
        <Confirm
          action={{
            title: words.retireTitle(flow.flow),
            says: (
              <>
                <p>{words.retireSays(flow.live ?? 0)}</p>
                <Check label={words.retireAnyway} value={allowMissing} onValue={allow} />
              </>
            ),
            label: words.retireDo,
            isDangerous: true,
            run: retire,
          }}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
}
