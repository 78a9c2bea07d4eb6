package dev.hapax.app.queue;

import dev.hapax.flow.InboxOutcome;
import org.jspecify.annotations.Nullable;

/** What this process has counted at a queue since it began. Safe for many threads. */
public interface QueueCounts {
  /** Returns how many messages were received, without those that the filter left out. */
  long received();

  /** Returns how many of them had this outcome. */
  long count(InboxOutcome outcome);

  /** Returns how often the broker gave this process another share of the queue. */
  long rebalances();

  /** Returns how many messages the broker has deleted before they were read. */
  long deletedUnread();

  /** Returns how many messages wait, as counted a moment ago; null if that is not known. */
  @Nullable Long lag();
}
