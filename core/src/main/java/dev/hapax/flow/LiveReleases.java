package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/** Knows which release of a flow new runs start on. Safe for many threads. */
@FunctionalInterface
public interface LiveReleases {
  /** Returns the number of the live release; null if there is none. */
  @Nullable Integer of(String tenant, String flow);
}
