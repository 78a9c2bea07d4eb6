package dev.hapax.app.queue;

import dev.hapax.flows.trigger.QueueTrigger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A queue as people see it. The figures are those of the node that answers, since it began.
 *
 * @param status reading, waiting, pausing or paused
 * @param problem why nothing is read now
 * @param notice what was found out since the node began, such as a position that the broker lost
 * @param perMinute messages of the last minute
 * @param rebalances how often the broker gave the node another share of the queue
 * @param deletedUnread messages that the broker deleted before they were read
 * @param lag messages that wait, as counted a moment ago
 */
record QueueView(
    String name,
    String flow,
    String connection,
    String queue,
    String status,
    @Nullable String problem,
    @Nullable String notice,
    boolean ordered,
    long received,
    long duplicates,
    long invalid,
    long filtered,
    long perMinute,
    long rebalances,
    long deletedUnread,
    @Nullable Long lag,
    @Nullable Instant lastAt) {

  static QueueView of(LiveQueues.LiveQueue live, QueueFigures.Snapshot figures, boolean isPaused) {
    QueueTrigger trigger = live.trigger();
    String problem = figures.problem();
    boolean hasHeard = QueueFigures.PAUSED.equals(problem);
    String status =
        isPaused
            ? hasHeard ? QueueFigures.PAUSED : "pausing"
            : problem == null || hasHeard ? "reading" : "waiting";
    return new QueueView(
        live.key().name(),
        live.owner().flow(),
        trigger.connection(),
        trigger.queue(),
        status,
        hasHeard ? null : problem,
        figures.notice(),
        trigger.ordered(),
        figures.received(),
        figures.duplicates(),
        figures.invalid(),
        figures.filtered(),
        figures.perMinute(),
        figures.rebalances(),
        figures.deletedUnread(),
        figures.lag(),
        figures.lastAt());
  }
}
