package dev.hapax.flows.check;

import dev.hapax.flow.Overflow;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.QueueTrigger;
import dev.hapax.flows.trigger.Trigger;

/**
 * A queue in order without the concurrency limit that keeps it: messages are received in order, but
 * their runs would overtake each other.
 */
final class OrderedWithoutLine implements Rule {
  @Override
  public String id() {
    return "ordered-without-line";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    FlowFile.Concurrency line = flow.concurrency();
    boolean isLine = line != null && line.limit() == 1 && line.overflow() == Overflow.QUEUE;
    for (Trigger trigger : flow.triggers()) {
      if (trigger instanceof QueueTrigger queue && queue.ordered() && !isLine) {
        report.add(
            queue.position(),
            "queue '%s' is ordered, but runs of the flow can overtake each other"
                .formatted(queue.queue()),
            "Add 'concurrency: {key: \"${input.…}\", limit: 1, overflow: queue}' with the object"
                + " whose order counts, or remove 'ordered'.");
      }
    }
  }
}
