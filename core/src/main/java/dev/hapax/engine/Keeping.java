package dev.hapax.engine;

import dev.hapax.flow.Names;
import java.time.Duration;

/**
 * How long is remembered what no flow has a say in.
 *
 * @param tombstones of runs and effects, after their retention
 * @param events after they were received; at least 30 days
 */
public record Keeping(Duration tombstones, Duration events) {
  private static final Duration SHORTEST_FOR_EVENTS = Duration.ofDays(30);

  public static final Keeping DEFAULT = new Keeping(Duration.ofDays(365), SHORTEST_FOR_EVENTS);

  public Keeping {
    Names.positive("tombstoneLife", tombstones);
    Names.bounded("inboxLife", events);
    if (events.compareTo(SHORTEST_FOR_EVENTS) < 0) {
      throw new IllegalArgumentException(
          "inboxLife: expected %d days or more, got %s. Sources send an event again days later, and it must be known then."
              .formatted(SHORTEST_FOR_EVENTS.toDays(), events));
    }
  }
}
