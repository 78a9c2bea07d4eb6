package dev.hapax.engine;

import dev.hapax.run.Step;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The steps that some strands share: what the journal says about them, and which were visited. */
final class Lane {
  private final Replay replay;
  private final Set<Step> visited = ConcurrentHashMap.newKeySet();

  Lane(Replay replay) {
    this.replay = replay;
  }

  /** False if the body has come to this step before. */
  boolean visit(Step step) {
    return visited.add(step);
  }

  @Nullable StepState stateOf(Step step) {
    return replay.stateOf(step);
  }
}
