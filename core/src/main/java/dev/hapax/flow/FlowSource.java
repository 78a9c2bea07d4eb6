package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Provides the code of releases that are not registered. The engine asks when a run of such a
 * release is to continue, on that run's thread, so the source may read and block. The engine asks
 * again until it gets an answer.
 */
@FunctionalInterface
public interface FlowSource {
  /** For engines whose flows are all registered. */
  FlowSource NONE = (_, _, _) -> null;

  /**
   * Returns the flow in this release, always the same object. Returns null if the release is not
   * known; its runs then wait.
   */
  @Nullable Flow<?, ?> find(String tenant, String flow, int release);
}
