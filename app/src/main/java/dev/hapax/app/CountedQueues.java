package dev.hapax.app;

import dev.hapax.app.observe.Metrics;
import dev.hapax.app.queue.QueueCounts;
import dev.hapax.flow.InboxOutcome;
import java.util.function.BiConsumer;

/** Adds the figures of each queue to the metrics. */
record CountedQueues(Metrics metrics) implements BiConsumer<String, QueueCounts> {
  @Override
  public void accept(String queue, QueueCounts counts) {
    metrics.countQueue(
        queue, "hapax.queue.messages", "Messages of queues received", counts::received);
    metrics.countQueue(
        queue,
        "hapax.queue.duplicates",
        "Messages of queues that came before",
        () -> counts.count(InboxOutcome.DUPLICATE));
    metrics.countQueue(
        queue,
        "hapax.queue.invalid",
        "Messages of queues that could not be read",
        () -> counts.count(InboxOutcome.INVALID));
    metrics.countQueue(
        queue,
        "hapax.queue.rebalances",
        "How often brokers gave this node another share of a queue",
        counts::rebalances);
    metrics.countQueue(
        queue,
        "hapax.queue.deleted.unread",
        "Messages that brokers deleted before they were read",
        counts::deletedUnread);
    metrics.lag(queue, counts::lag);
  }
}
