package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * Where the code of a release comes from that nobody has registered: asked when a run of it is to
 * go on, on that run's thread, so it may read and block. Asked again until it has an answer.
 */
@FunctionalInterface
public interface FlowSource {
  /** For engines whose flows are all registered. */
  FlowSource NONE = (_, _, _) -> null;

  /**
   * The flow in this release, the same object to everybody who asks; null if it is not known, then
   * its runs wait.
   */
  @Nullable Flow<?, ?> find(String tenant, String flow, int release);
}
