import { useState } from "preact/hooks";
import { ApiProblem, call } from "../../api/client.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { Field } from "../../components/Field.tsx";
import { toast } from "../../components/Toasts.tsx";
import type { Edited } from "../../components/ValueForm.tsx";
import { text } from "../../text.ts";
import type { Approval } from "./ApprovalPage.tsx";
import { ReworkValues } from "./ReworkValues.tsx";

export type Choice = "approve" | "reject" | "rework";

interface Asked {
  approval: Approval;
  choice: Choice;
  flow: string | undefined;
  /** The input of the run, as which the values of a rework begin. */
  input: unknown;
  onClose: () => void;
  /** With a note if another decision was first. */
  onDone: (note: string | null) => void;
}

/** Takes a decision with a comment, and with values if the run is sent back. */
export function Decide({ approval, choice, flow, input, onClose, onDone }: Asked) {
  const [comment, setComment] = useState("");
  const [values, setValues] = useState<Edited | null>(null);
  const words = text.desk;
  const one = words.choices[choice]!;
  const run = async () => {
    const members = [`"decision":${JSON.stringify(choice)}`];
    if (comment.trim()) members.push(`"comment":${JSON.stringify(comment.trim())}`);
    if (choice === "rework" && values) {
      if ("problem" in values) throw new ApiProblem(0, "invalid-input", values.problem);
      members.push(`"values":${values.json}`);
    }
    const receipt = await call("POST /api/approvals/{id}", { path: { id: approval.id }, text: "{" + members.join(",") + "}" });
    const made = receipt.decision;
    if (receipt.first) {
      toast(one.past);
      onDone(null);
    } else if (made) onDone(words.already((words.choices[made.decision]?.past ?? made.decision).toLowerCase(), made.by ?? words.someone));
    else onDone(words.wasExpired);
  };
  return (
    <Confirm
      onClose={onClose}
      action={{
        title: one.title,
        says: (
          <>
            <p class="ask-quoted">{approval.ask}</p>
            <p>{one.will}</p>
            <Field label={words.comment} hint={words.commentHint} lines={2} value={comment} onValue={setComment} required={choice === "rework"} />
            {choice === "rework" && (
              <>
                <p class="muted small-text">{words.valuesHint}</p>
                <ReworkValues approval={approval} flow={flow} input={input} onEdit={setValues} />
              </>
            )}
          </>
        ),
        label: one.label,
        isDangerous: choice === "reject",
        run,
      }}
    />
  );
}
