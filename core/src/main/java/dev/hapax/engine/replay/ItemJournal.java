package dev.hapax.engine.replay;

import dev.hapax.flow.Step;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of the journal that belongs to the run as a whole, or to one item of a loop. The part of
 * an item is dropped when the item ends, so a run holds only the items in progress.
 */
public final class ItemJournal {
  private final @Nullable String name;
  private final Replay replay;
  private final Set<Step> visited;

  public ItemJournal(@Nullable String name, Replay replay) {
    this.name = name;
    this.replay = replay;
    this.visited = ConcurrentHashMap.newKeySet(Math.max(16, replay.steps().size()));
  }

  /** The name in the journal; null for the run as a whole. */
  public @Nullable String name() {
    return name;
  }

  public Replay replay() {
    return replay;
  }

  /** False if the body has reached this step before. */
  public boolean visit(Step step) {
    return visited.add(step);
  }

  public @Nullable StepState stateOf(Step step) {
    return replay.stateOf(step);
  }

  /** How an item of a loop ended; null if it has not. */
  public @Nullable StepState endOf(Step item) {
    return replay.endOf(item);
  }
}
