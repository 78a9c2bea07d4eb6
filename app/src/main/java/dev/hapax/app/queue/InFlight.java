package dev.hapax.app.queue;

import dev.hapax.Hapax;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.queue.QueueMessage;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many messages a trigger may receive before the runs of earlier ones begin. A flow that is
 * slower than its queue leaves the messages at the broker instead of filling the store with runs
 * that wait. Used by one thread.
 */
final class InFlight {
  /** Of a trigger that does not say. */
  static final int USUAL = 1_000;

  private static final long MOST_BYTES = 64L << 20;
  private static final int PAGE = 50;
  private static final long AGAIN = Duration.ofSeconds(1).toNanos();

  private final Hapax hapax;
  private final RunFilter waiting;
  private final int most;
  private final Clock clock;
  private long left; // messages until the runs that wait are counted again
  private long leftBytes;
  private @Nullable Long countedAt;
  private @Nullable String full;

  /**
   * For one trigger on this node.
   *
   * @param runs those of its flow
   */
  InFlight(Hapax hapax, RunFilter runs, int most, Clock clock) {
    this.hapax = hapax;
    this.waiting = runs.status(RunStatus.QUEUED).limit(PAGE);
    this.most = most;
    this.clock = clock;
  }

  /** Returns why no further message may be received; null if some may. */
  @Nullable String obstacle() {
    if (!hapax.hasRoom()) {
      return "this node has as many runs in memory as it can hold (engine.runsInMemory)";
    }
    if (left > 0 && leftBytes > 0) {
      return null;
    }
    Long before = countedAt;
    if (full == null || before == null || clock.nanos() - before >= AGAIN) {
      count();
      countedAt = clock.nanos();
    }
    return full;
  }

  /** Counts messages that were received. */
  void took(List<QueueMessage> messages) {
    left -= messages.size();
    for (QueueMessage message : messages) {
      leftBytes -= message.size();
    }
  }

  private void count() {
    long runs = 0;
    long bytes = 0;
    RunFilter next = waiting;
    List<Run> page;
    do {
      page = hapax.runs(next);
      for (Run run : page) {
        runs++;
        bytes += run.input().length();
        next = waiting.before(run.number());
      }
    } while (page.size() == PAGE && runs < most && bytes < MOST_BYTES);
    left = most - runs;
    leftBytes = MOST_BYTES - bytes;
    full =
        left > 0 && leftBytes > 0
            ? null
            : "%d runs of the flow wait for their turn; inFlight is %d".formatted(runs, most);
  }
}
