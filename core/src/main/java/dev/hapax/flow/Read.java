package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * How something that only reads is repeated, and where it asks: {@code
 * Read.retried(policy).to("psp")}.
 *
 * @param destination whose limits it shares with effects; null if it has none
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

  /** Where it asks; see {@link Destination}. */
  public Read to(String name) {
    return new Read(retry, name);
  }
}
