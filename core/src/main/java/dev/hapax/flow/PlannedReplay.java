package dev.hapax.flow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run in the plan of a replay of many, and what came of it.
 *
 * @param position its place in the plan, counted from 1
 * @param problem why it cannot be replayed, or was not
 * @param release on which it goes on; null if it cannot be replayed
 * @param differences of the steps of another release; null if the run stays on its own
 * @param ends why its plan ends before the run does; null if it does not
 * @param totals of all its effects
 * @param effects of which a plan of many keeps as many as fit
 * @param more how many effects the plan does not keep; a plan of this run alone has them
 */
public record PlannedReplay(
    long position,
    String run,
    @Nullable String flow,
    @Nullable String key,
    JobItemState state,
    @Nullable String problem,
    @Nullable Integer release,
    @Nullable List<StepDifference> differences,
    @Nullable String ends,
    ReplayPlan.Totals totals,
    List<ReplayPlan.Item> effects,
    int more) {
  public PlannedReplay {
    effects = List.copyOf(effects);
    differences = differences == null ? null : List.copyOf(differences);
  }
}
