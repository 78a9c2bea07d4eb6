package dev.hapax.app.observe;

import dev.hapax.flow.InboxOutcome;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counts what was stopped because it had come before, by where it came in. */
final class StoppedDuplicates {
  private final Map<Door, Counter> counters = new EnumMap<>(Door.class);

  /** Where the same thing can come in twice. */
  private enum Door {
    /** A start of a run, by HTTP or in Java. */
    START,
    /** A webhook. */
    WEBHOOK,
    /** A step that starts another run. */
    CHILD,
    /** An effect that the ledger has as done. */
    EFFECT,
    /** A callback or an approval that had its answer. */
    ANSWER
  }

  StoppedDuplicates(MeterRegistry registry) {
    for (Door door : Door.values()) {
      counters.put(
          door,
          Counter.builder("hapax.duplicates.stopped")
              .description("What was stopped because it had come before, by where it came in")
              .tag("door", door.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  void committed(Batch batch, List<GroupAnswer> answers) {
    for (int i = 0; i < answers.size(); i++) {
      Group group = batch.groups().get(i);
      if (answers.get(i) instanceof GroupAnswer.Landed landed) {
        for (Change change : group.changes()) {
          if (change instanceof Change.CountDuplicates duplicates) {
            count(Door.START, duplicates.starts());
          }
        }
        boolean expires = group.changes().stream().anyMatch(Change.ExpireWait.class::isInstance);
        landed.answers().forEach(answer -> count(answer, expires));
      }
    }
  }

  private void count(Answer answer, boolean expires) {
    switch (answer) {
      case ClaimAnswer.Reused reused when !reused.stale() -> count(Door.EFFECT, 1);
      case Answer.Received received when received.outcome() == InboxOutcome.DUPLICATE ->
          count(Door.WEBHOOK, 1);
      case Answer.Spawned spawned when !spawned.isFresh() -> count(Door.CHILD, 1);
      case Answer.Heard heard when !heard.isFirst() && !expires -> count(Door.ANSWER, 1);
      default -> {}
    }
  }

  private void count(Door door, long times) {
    Counter counter = counters.get(door);
    if (counter != null) {
      counter.increment((double) times);
    }
  }
}
