package dev.hapax.testkit.promise;

import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The durable map: a write that the store confirmed to a run is written, once. Runs count by
 * put-if-absent, compare-and-set and additions of one alone, so a counter has the value that the
 * journals say.
 */
public final class CountersAreExact implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, Long> written = new TreeMap<>();
    for (Run run : evidence.runs()) {
      for (JournalLine line : evidence.journal(run)) {
        if (line.entry() instanceof StepEntry.KvAsked asked
            && asked.action().isConditional()
            && line.reply() instanceof Answer.Kv(var _, long _, boolean isWritten)
            && isWritten) {
          written.merge(asked.key(), 1L, Long::sum);
        }
      }
    }
    written.forEach(
        (key, count) -> {
          KvEntry entry = evidence.store().kv(evidence.tenant(), key);
          if (entry == null || !Long.toString(count).equals(entry.value())) {
            broken.add("%s was counted to %d, but there is %s".formatted(key, count, entry));
          }
        });
    return broken;
  }
}
