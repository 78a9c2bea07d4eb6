import type { Answer } from "../../api/client.ts";
import { JsonView } from "../../components/JsonView.tsx";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";
import { TONES } from "./ReconciliationPage.tsx";

type Item = Answer<"GET /api/reconciliations/{id}">["items"][number];

/** Where the ledger and the destination disagree. */
export function Finding({ of }: { of: Item }) {
  const words = text.reconcile;
  const repair = of.repair;
  return (
    <li class="finding">
      <span class={"badge tone-" + (TONES[of.result] ?? "quiet")}>{words.results[of.result]?.name ?? of.result}</span>
      <span class="finding-key">
        {of.key && of.effect ? (
          <a class="mono" href={link(pathTo("ledger", of.effect))}>
            {of.key}
          </a>
        ) : (
          <span class="mono">{of.key}</span>
        )}
        <span class="muted small-text"> {of.step}</span>
      </span>
      <span class="mono muted">{of.externalId}</span>
      <span class="finding-about">
        {[of.fields?.length && words.fields(of.fields.join(", ")), of.problem, repair && (repair.possible ? words.canRepair : words.cannotRepair + " " + (repair.why ?? ""))]
          .filter(Boolean)
          .join(" · ")}
      </span>
      {repair?.request != null && (
        <div class="finding-request">
          <JsonView title={words.request} value={repair.request} isClosed />
        </div>
      )}
    </li>
  );
}
