package dev.hapax.app.queue;

import dev.hapax.flow.InboxOutcome;
import dev.hapax.flows.queue.QueueConsumer;
import dev.hapax.time.Clock;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a consumer of this process has done since the process began. Safe for many threads. */
final class QueueFigures implements QueueCounts {
  /** The problem of a paused queue, when its consumer has heard of the pause. */
  static final String PAUSED = "paused";

  private final RecentCount recent;

  // All guarded by this.
  private final Map<InboxOutcome, Long> outcomes = new EnumMap<>(InboxOutcome.class);
  private long filtered;
  private long rebalances;
  private long deletedUnread;
  private @Nullable Instant lastAt;
  private @Nullable String problem;
  private @Nullable Long lag;
  private @Nullable String notice;

  QueueFigures(Clock clock) {
    this.recent = new RecentCount(clock);
  }

  /**
   * The figures at one moment.
   *
   * @param received messages that were acknowledged, without those that the filter left out
   * @param perMinute messages of the last minute, with those that the filter left out
   * @param problem why messages are not read now; null if they are
   * @param notice what people should know although messages are read
   */
  record Snapshot(
      long received,
      long duplicates,
      long invalid,
      long filtered,
      long perMinute,
      long rebalances,
      long deletedUnread,
      @Nullable Instant lastAt,
      @Nullable String problem,
      @Nullable Long lag,
      @Nullable String notice) {}

  synchronized void received(InboxOutcome outcome, Instant at) {
    outcomes.merge(outcome, 1L, Long::sum);
    recent.add();
    lastAt = at;
  }

  synchronized void filtered(Instant at) {
    filtered++;
    recent.add();
    lastAt = at;
  }

  synchronized void heard(QueueConsumer.News news) {
    rebalances += news.rebalances();
    deletedUnread += news.deletedUnread();
  }

  /** Returns whether this is news. */
  synchronized boolean problem(@Nullable String words) {
    boolean isNews = words == null ? problem != null : !words.equals(problem);
    problem = words;
    return isNews;
  }

  synchronized void notice(String words) {
    notice = words;
  }

  synchronized void lag(@Nullable Long messages) {
    lag = messages;
  }

  @Override
  public synchronized long count(InboxOutcome outcome) {
    return outcomes.getOrDefault(outcome, 0L);
  }

  @Override
  public synchronized long received() {
    return outcomes.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public synchronized long rebalances() {
    return rebalances;
  }

  @Override
  public synchronized long deletedUnread() {
    return deletedUnread;
  }

  @Override
  public synchronized @Nullable Long lag() {
    return lag;
  }

  synchronized Snapshot now() {
    return new Snapshot(
        received(),
        count(InboxOutcome.DUPLICATE),
        count(InboxOutcome.INVALID),
        filtered,
        recent.lastMinute(),
        rebalances,
        deletedUnread,
        lastAt,
        problem,
        lag,
        notice);
  }
}
