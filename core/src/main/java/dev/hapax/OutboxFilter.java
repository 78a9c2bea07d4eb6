package dev.hapax;

import dev.hapax.flow.RunStatus;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which messages to list; null or empty does not filter.
 *
 * @param destination its name, or the beginning of names followed by {@code *}
 * @param statuses of the runs that deliver
 * @param since only messages that were published at this time or later
 * @param until only messages that were published before this time
 * @param before only messages with a smaller number, to page on
 * @param limit 1 to 200
 */
public record OutboxFilter(
    @Nullable String destination,
    Set<RunStatus> statuses,
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable Long before,
    int limit) {
  /** The delivery was given up, or only a person can find out whether the message arrived. */
  public static final Set<RunStatus> DEAD = Set.of(RunStatus.FAILED, RunStatus.REVIEW);

  /** The message is under way, or has no courier. */
  public static final Set<RunStatus> UNDELIVERED =
      Set.of(RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.WAITING, RunStatus.CANCELING);

  /** The receiver has taken the message. */
  public static final Set<RunStatus> DELIVERED = Set.of(RunStatus.SUCCEEDED);

  /** All messages, the newest 200. */
  public static final OutboxFilter ALL = new OutboxFilter(null, Set.of(), null, null, null, 200);

  public OutboxFilter {
    statuses = Set.copyOf(statuses);
  }

  public OutboxFilter destination(@Nullable String name) {
    return new OutboxFilter(name, statuses, since, until, before, limit);
  }

  /** Only messages whose delivery has one of these statuses. */
  public OutboxFilter anyOf(Set<RunStatus> wanted) {
    return new OutboxFilter(destination, wanted, since, until, before, limit);
  }

  /** Only messages that were published in this time. */
  public OutboxFilter published(@Nullable Instant from, @Nullable Instant to) {
    return new OutboxFilter(destination, statuses, from, to, before, limit);
  }

  /** The page after the one that ended with the message with this number. */
  public OutboxFilter page(@Nullable Long beforeThis, int most) {
    return new OutboxFilter(destination, statuses, since, until, beforeThis, most);
  }
}
