import { useState } from "preact/hooks";
import { call, type Answer } from "../../api/client.ts";
import { usePaged } from "../../api/paged.ts";
import { may } from "../../api/session.ts";
import { useCall } from "../../api/use.ts";
import { Confirm } from "../../components/Confirm.tsx";
import { More } from "../../components/More.tsx";
import { Show } from "../../components/Show.tsx";
import { Status } from "../../components/Status.tsx";
import { plural } from "../../core/format.ts";
import { link, pathTo } from "../../core/router.ts";
import { text } from "../../text.ts";

type Report = Answer<"GET /api/reconciliations/{id}">;

const FLOW = "hapax.repair";

interface Of {
  reconciliation: string;
  report: Report;
}

/** The run that repairs, if there is one. */
function useRepair({ reconciliation, report }: Of) {
  const isAsked = report.repair && report.status === "succeeded" && may("runs:read");
  return useCall("GET /api/runs", isAsked ? { query: { flow: FLOW, key: reconciliation } } : null, (event) => event.flow === FLOW);
}

/** What became of the repair. */
export function Repair(of: Of) {
  return useRepair(of).data?.items.length ? <Repaired reconciliation={of.reconciliation} /> : null;
}

/** Begins the repair of what is missing. */
export function RepairButton(of: Of) {
  const [isAsking, ask] = useState(false);
  const known = useRepair(of);
  const { reconciliation, report } = of;
  const words = text.reconcile;
  const planned = report.repairs?.planned ?? 0;
  if (planned === 0 || !may("effects:settle") || !may("runs:write") || known.data?.items.length !== 0) return null;
  const effects = plural(planned, "effect");
  return (
    <>
      <button type="button" class="button primary" onClick={() => ask(true)}>
        {words.repairNow(effects)}
      </button>
      {isAsking && (
        <Confirm
          onClose={() => ask(false)}
          action={{
            title: words.repairTitle(effects),
            says: words.repairSays,
            label: words.repairDo,
            asksReason: true,
            run: async (reason) => {
              await call("POST /api/reconciliations/{id}/repair", { path: { id: reconciliation }, body: { reason } });
              known.reload();
            },
          }}
        />
      )}
    </>
  );
}

function Repaired({ reconciliation }: { reconciliation: string }) {
  const repair = usePaged("GET /api/reconciliations/{id}/repair", { path: { id: reconciliation }, query: { limit: "100" } }, (page) => page.items, () => true);
  const words = text.reconcile;
  return (
    <section>
      <h2>{words.repaired}</h2>
      <Show of={repair}>
        {({ first, items }) => (
          <>
            <p class="repair-says">
              <Status of={first.status} /> {words.repairTotals(first.totals.replayed, first.totals.found, first.totals.stale, first.totals.refused)}
              <span class="muted"> {first.reason}</span>
            </p>
            {first.error && <p class="notice tone-bad">{first.error.message}</p>}
            <ul class="plain">
              {items.map((one) => (
                <li key={one.effect}>
                  {one.run ? <a href={link(pathTo("runs", one.run))}>{one.effect}</a> : one.effect} {words.repairs[one.result] ?? one.result} <span class="muted">{one.problem}</span>
                </li>
              ))}
            </ul>
            <More of={repair} />
          </>
        )}
      </Show>
    </section>
  );
}
