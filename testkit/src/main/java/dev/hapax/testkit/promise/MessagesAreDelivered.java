package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A message that a run has published is delivered at least once, always under one id with one
 * content; and no message arrives that no run published.
 */
public final class MessagesAreDelivered implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, String> arrived = new HashMap<>();
    for (var arrival : evidence.observed(Observation.MessageArrived.class)) {
      String before = arrived.putIfAbsent(arrival.id(), arrival.content());
      if (before != null && !before.equals(arrival.content())) {
        broken.add(
            "message %s arrived as %s and as %s"
                .formatted(arrival.id(), before, arrival.content()));
      }
    }
    Map<String, Run> runs = evidence.runsById();
    Set<String> published = new HashSet<>();
    for (Run run : evidence.runs()) {
      for (JournalLine line : evidence.journal(run)) {
        if (line.entry() instanceof StepEntry.Published message) {
          published.add(message.message());
          Run delivery = runs.get(message.delivery());
          if (delivery == null && !evidence.hasExpired(message.delivery())) {
            broken.add("%s of run %s has no delivery".formatted(message, run.id()));
          } else if (delivery != null
              && delivery.status() == RunStatus.SUCCEEDED
              && !arrived.containsKey(message.message())) {
            broken.add("%s counts as delivered, but never arrived".formatted(message));
          }
        }
      }
    }
    arrived.keySet().stream()
        .filter(id -> !published.contains(id))
        .forEach(id -> broken.add("message %s arrived, but no run published it".formatted(id)));
    return broken;
  }
}
