package dev.hapax.testkit.promise;

import dev.hapax.flow.Alert;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.RunEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Alerts: where alerts are wanted, one message reports each end as failed and each review. Each
 * message has its delivery, and none begins twice.
 */
public final class AlertsAreSentOnce implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (var wanted : evidence.observed(Observation.AlertsWanted.class)) {
      for (Run run : evidence.runs()) {
        if (!run.flow().equals(wanted.deliveries())) {
          read(run, evidence, broken);
        }
      }
    }
    return broken;
  }

  private static void read(Run run, Evidence evidence, List<String> broken) {
    Set<String> begun = new HashSet<>();
    int failures = 0;
    int told = 0;
    for (JournalLine line : evidence.journal(run)) {
      if (line.entry() instanceof RunEntry.Alerted alerted) {
        told += alerted.alert() == Alert.FAILED ? 1 : 0;
        boolean isFresh = line.reply() instanceof Answer.Spawned spawned && spawned.isFresh();
        if (isFresh && !begun.add(alerted.message())) {
          broken.add("run %s told twice: %s".formatted(run.id(), alerted));
        }
        if (evidence.store().holder(RunId.parse(alerted.delivery())) == null) {
          broken.add("run %s: %s has no delivery".formatted(run.id(), alerted));
        }
      }
      if (line.entry() instanceof RunEntry.Ended end && end.status() == RunStatus.FAILED) {
        failures++;
      }
    }
    if (told != failures) {
      broken.add("run %s failed %d times and told %d times".formatted(run.id(), failures, told));
    }
  }
}
