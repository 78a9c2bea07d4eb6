package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/** Decides which effects an engine may send if its store is a copy of another. */
@FunctionalInterface
public interface CopySends {
  /** Allows no effect. This is the default. */
  CopySends NONE = (_, _, _) -> false;

  /**
   * Returns whether the effect may be sent.
   *
   * @param store the copy's id, which no other store has
   * @param destination of the effect; null if it names none
   */
  boolean maySend(long store, String tenant, @Nullable String destination);
}
