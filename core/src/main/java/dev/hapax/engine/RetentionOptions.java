package dev.hapax.engine;

import dev.hapax.flow.Names;
import dev.hapax.flow.RecordExport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long the engine remembers things for which flows have no setting.
 *
 * @param tombstones of runs and effects, after their retention
 * @param events after they were received; at least 30 days
 * @param export receives everything before it is deleted; null if nothing is exported
 */
public record RetentionOptions(
    Duration tombstones, Duration events, @Nullable RecordExport export) {
  private static final Duration SHORTEST_FOR_EVENTS = Duration.ofDays(30);

  public static final RetentionOptions DEFAULT =
      new RetentionOptions(Duration.ofDays(365), SHORTEST_FOR_EVENTS, null);

  public RetentionOptions {
    Names.positive("tombstoneLife", tombstones);
    Names.bounded("inboxLife", events);
    if (events.compareTo(SHORTEST_FOR_EVENTS) < 0) {
      throw new IllegalArgumentException(
          "inboxLife: expected %d days or more, got %s. A source may repeat an event days later, and the inbox must still recognize it."
              .formatted(SHORTEST_FOR_EVENTS.toDays(), events));
    }
  }
}
