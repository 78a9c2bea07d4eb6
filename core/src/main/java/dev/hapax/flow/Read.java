package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * The retry policy and the destination of a step that only reads: {@code
 * Read.retried(policy).to("psp")}.
 *
 * @param destination its limits apply to reads and effects together; null if there is none
 */
public record Read(RetryPolicy retry, @Nullable String destination) {
  public Read {
    if (destination != null) {
      Names.destination(destination);
    }
  }

  public static Read retried(RetryPolicy retry) {
    return new Read(retry, null);
  }

  /** Names the destination; see {@link Destination}. */
  public Read to(String name) {
    return new Read(retry, name);
  }
}
