package dev.hapax.flows.queue;

import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a group begins that has no position yet.
 *
 * @param isEarliest whether at the first message that the broker has
 * @param time of the first message that is read; null if there is none
 */
public record QueueStart(boolean isEarliest, @Nullable Instant time) {
  /** At the first message that is sent from now on. */
  public static final QueueStart LATEST = new QueueStart(false, null);

  public static final QueueStart EARLIEST = new QueueStart(true, null);

  /** Returns what a text means: a word or a time; null if it means nothing. */
  public static @Nullable QueueStart of(String text) {
    return switch (text) {
      case "latest" -> LATEST;
      case "earliest" -> EARLIEST;
      default -> at(text);
    };
  }

  private static @Nullable QueueStart at(String text) {
    try {
      Instant time = Instant.parse(text);
      return time.isAfter(Instant.EPOCH) ? new QueueStart(false, time) : EARLIEST;
    } catch (DateTimeException e) {
      return null;
    }
  }
}
