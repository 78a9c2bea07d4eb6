package dev.hapax.app.reconcile;

import dev.hapax.Hapax;
import dev.hapax.app.wire.ErrorView;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A repair as people see it.
 *
 * @param id of its run
 * @param status of its run
 * @param totals so far, if it has not ended
 * @param items what became of each effect
 * @param next the value of {@code ?after=} for more items; null if there are none now
 */
record RepairView(
    String id,
    String reconciliation,
    String flow,
    String by,
    String reason,
    String status,
    @Nullable ErrorView error,
    RepairFlow.RepairTotals totals,
    List<RepairFlow.Repaired> items,
    @Nullable String next) {
  static RepairView of(Hapax hapax, Run run, long after, int limit) {
    RepairFlow.RepairWish wish = Json.read(run.input(), RepairFlow.RepairWish.class);
    RepairFlow.RepairTotals totals = RepairFlow.RepairTotals.NONE;
    List<RepairFlow.Repaired> items = new ArrayList<>();
    String next = null;
    long last = after;
    for (HistoryEntry entry : hapax.historyOf(run.id().toString())) {
      RepairFlow.Repaired repaired = repairedIn(hapax, entry);
      if (repaired == null) {
        continue;
      }
      totals = totals.and(repaired.result());
      if (entry.seq() <= after) {
        continue;
      }
      if (items.size() < limit) {
        items.add(repaired);
        last = entry.seq();
      } else {
        next = Long.toString(last);
      }
    }
    return new RepairView(
        run.id().toString(),
        wish.reconciliation(),
        wish.flow(),
        wish.by(),
        wish.reason(),
        run.status().word(),
        run.error() == null ? null : ErrorView.of(run.error()),
        totals,
        List.copyOf(items),
        next);
  }

  private static RepairFlow.@Nullable Repaired repairedIn(Hapax hapax, HistoryEntry entry) {
    String output =
        "step-done".equals(entry.type()) && RepairFlow.REPAIR.equals(entry.step())
            ? hapax.ledger().json(entry.output())
            : null;
    return output == null ? null : Json.read(output, RepairFlow.Round.class).repaired();
  }
}
