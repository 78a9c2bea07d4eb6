package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/** Which effects may be sent by an engine whose store is a copy of another. */
@FunctionalInterface
public interface CopySends {
  /** None, until a person says so. */
  CopySends NONE = (_, _, _) -> false;

  /**
   * Whether it may be sent.
   *
   * @param store the copy's id, which no other store has
   * @param destination that the effect names; null if it names none
   */
  boolean maySend(long store, String tenant, @Nullable String destination);
}
