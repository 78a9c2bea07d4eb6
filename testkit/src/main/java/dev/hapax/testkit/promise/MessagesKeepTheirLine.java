package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.json.Json;
import dev.hapax.run.StoredMessage;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one line arrive for the first time in the order in which they were published. One
 * that had failed lets the others go on.
 */
public final class MessagesKeepTheirLine implements Promise {
  /** The type of messages that a run has put in one line. */
  public static final String TYPE = "told-in-line";

  @Override
  public List<String> brokenBy(Evidence evidence) {
    Map<String, Integer> arrivals = new HashMap<>();
    for (var arrival : evidence.observed(Observation.MessageArrived.class)) {
      arrivals.putIfAbsent(arrival.id(), arrivals.size());
    }
    Map<String, Run> runs = evidence.runsById();
    List<String> broken = new ArrayList<>();
    for (Run run : evidence.runs()) {
      int last = -1;
      Set<String> published = new HashSet<>();
      for (JournalLine line : evidence.journal(run)) {
        if (line.entry() instanceof StepEntry.Published message
            && published.add(message.message()) // a replay reaches the step again
            && isInLine(evidence, runs.get(message.delivery()))) {
          Integer arrival = arrivals.get(message.message());
          if (arrival != null && arrival < last) {
            broken.add(
                "%s of run %s arrived before one that was published earlier"
                    .formatted(message, run.id()));
          }
          last = arrival == null ? last : Math.max(last, arrival);
        }
      }
    }
    return broken;
  }

  private static boolean isInLine(Evidence evidence, @Nullable Run delivery) {
    return delivery != null
        && !delivery.isErased()
        && Json.read(delivery.input(), StoredMessage.class).type().equals(TYPE)
        && !hasFailed(evidence, delivery);
  }

  private static boolean hasFailed(Evidence evidence, Run delivery) {
    return evidence.journal(delivery).stream()
        .anyMatch(
            line ->
                line.entry() instanceof RunEntry.Retried
                    || line.entry() instanceof RunEntry.CancelRequested);
  }
}
