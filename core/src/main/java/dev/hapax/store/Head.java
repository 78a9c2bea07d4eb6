package dev.hapax.store;

import dev.hapax.run.NewRun;
import org.jspecify.annotations.Nullable;

/** The condition under which a group lands. */
public sealed interface Head {
  /**
   * This group inserts the run. With no owner it is queued and due at once. Its journal begins at
   * 1. A run that finds no free slot at its gate answers {@link GroupAnswer.Queued} or {@link
   * GroupAnswer.Busy}.
   */
  record Insert(NewRun run, @Nullable Long owner) implements Head {}

  /** The run belongs to this owner and its journal ends at {@code seq}. */
  record Owned(long run, long owner, long seq) implements Head {}

  /** The run has no owner and its journal ends at {@code seq}. */
  record Unowned(long run, long seq) implements Head {}

  /** The run has not ended. For changes outside the run's own course; has no journal entries. */
  record NotEnded(long run) implements Head {}

  /** Always holds. For bookkeeping outside of runs; has no journal entries. */
  record Always() implements Head {}
}
