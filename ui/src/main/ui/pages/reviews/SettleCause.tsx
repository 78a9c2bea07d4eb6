import { useState } from "preact/hooks";
import { call } from "../../api/client.ts";
import { Check } from "../../components/Field.tsx";
import { Confirm } from "../../components/Confirm.tsx";
import { Options } from "../../components/Options.tsx";
import { go, link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { decisions, type Decision } from "./decisions.ts";

/** Plans one decision about all reviews of a cause, also those that are not shown; a job applies it. */
export function SettleCause({ cause, flow, effects, onClose }: { cause: string; flow: string; effects: string; onClose: () => void }) {
  const [decision, setDecision] = useState<Decision>("not-happened");
  const [compensate, setCompensate] = useState(false);
  const words = text.reviews;
  const run = async (reason: string) => {
    const filter = { cause, ...(flow ? { flow } : {}) };
    const body = { kind: "settle", filter, plan: true, decision, reason, ...(compensate && decision === "happened" ? { compensate } : {}) };
    const job = await call("POST /api/jobs", { body });
    go(link(pathTo("jobs", job.id)));
  };
  return (
    <Confirm
      onClose={onClose}
      action={{
        title: words.causeTitle(effects),
        says: (
          <>
            <p>{text.jobs.applySays.settle}</p>
            <Options label={words.decision} of={decisions} value={decision} onValue={(value) => setDecision(value as Decision)} />
            {decision === "happened" && <Check label={words.compensate} hint={words.compensateHint} value={compensate} onValue={setCompensate} />}
            <p class="muted">{text.jobs.makeSays}</p>
          </>
        ),
        label: text.jobs.makeDo,
        asksReason: true,
        run,
      }}
    />
  );
}
