package dev.hapax.engine.plan;

import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.StepEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of a run have sent so far, as its journal has it. A replay keeps those of the
 * steps that it does not do again.
 *
 * @param starts messages and child runs
 */
record KeptSteps(Map<Step, EffectEntry.Claimed> claims, Map<Step, PlanItem> starts) {
  static KeptSteps of(List<ReadRow> whole) {
    Map<Step, EffectEntry.Claimed> claims = new LinkedHashMap<>();
    Map<Step, PlanItem> starts = new LinkedHashMap<>();
    for (ReadRow row : whole) {
      for (JournalEntry entry : row.entries()) {
        if (entry instanceof EffectEntry.Claimed claim && !claim.step().isUndo()) {
          claims.put(claim.step(), claim);
        } else {
          PlanItem started = started(entry);
          if (started != null) {
            starts.put(started.step(), started);
          }
        }
      }
    }
    return new KeptSteps(claims, starts);
  }

  private static @Nullable PlanItem started(JournalEntry entry) {
    return switch (entry) {
      case StepEntry.Published one ->
          new PlanItem(
              one.step(),
              ReplayPlan.Type.MESSAGE,
              one.destination(),
              one.message(),
              one.delivery());
      case CallEntry.Called one ->
          new PlanItem(one.step(), ReplayPlan.Type.RUN, one.flow(), one.key(), one.child());
      case CallEntry.SpawnedRun one ->
          new PlanItem(one.step(), ReplayPlan.Type.RUN, one.flow(), one.key(), one.child());
      default -> null;
    };
  }
}
