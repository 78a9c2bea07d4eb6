package dev.hapax.testkit.simulation;

import dev.hapax.flow.Names;
import dev.hapax.flow.PlannedRun;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Step;
import org.jspecify.annotations.Nullable;

/**
 * A place in a body, as the simulation knows it beside the engine.
 *
 * @param item of the loop that it is in, within those of the loops around it
 * @param round counted from 1
 * @param suffix of the keys of its effects, so that some items share them and others do not
 */
record Scene(RunContext run, @Nullable String item, int round, int release, String suffix) {
  Scene(RunContext run, int release) {
    this(run, null, 1, release, "");
  }

  /**
   * Whether the body is only walked, to plan a replay. Witnesses do not count what it does then.
   */
  boolean isPlanned() {
    return run instanceof PlannedRun;
  }

  Step step(String name) {
    return new Step(name, item).inRound(round);
  }

  /** Returns the same place on another branch. */
  Scene on(RunContext other) {
    return new Scene(other, item, round, release, suffix);
  }

  Scene inItem(RunContext inner, String key, String ownSuffix) {
    String place = item == null ? key : item + Names.BETWEEN_ITEMS + key;
    return new Scene(inner, place, round, release, suffix + ownSuffix);
  }

  Scene inRound(RunContext inner, int number) {
    return new Scene(inner, item, number, release, suffix);
  }
}
