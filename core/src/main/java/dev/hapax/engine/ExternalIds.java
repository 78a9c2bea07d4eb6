package dev.hapax.engine;

import dev.hapax.run.Answer;
import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.Step;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The destinations' ids for the effects of a run, from any source: the answer, a lookup, the run
 * that had done it before, or a person. Safe for many threads.
 */
final class ExternalIds {
  private final Map<Step, String> ids = new ConcurrentHashMap<>();

  @Nullable String of(Step step) {
    return ids.get(step);
  }

  ExternalIds copy() {
    var copy = new ExternalIds();
    copy.ids.putAll(ids);
    return copy;
  }

  void note(JournalEntry entry) {
    switch (entry) {
      case JournalEntry.EffectDone done -> put(done.step(), done.externalId());
      case JournalEntry.Settled settled -> put(settled.step(), settled.externalId());
      default -> {}
    }
  }

  void note(@Nullable Step step, Answer answer) {
    if (step != null && answer instanceof ClaimAnswer.Reused reused) {
      put(step, reused.externalId());
    }
  }

  private void put(Step step, @Nullable String id) {
    if (id != null) {
      ids.put(step, id);
    }
  }
}
