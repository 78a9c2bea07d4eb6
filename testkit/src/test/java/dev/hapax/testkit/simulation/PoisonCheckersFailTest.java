package dev.hapax.testkit.simulation;

import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.Observation;
import dev.hapax.testkit.promise.OnlyPoisonIsKeptOut;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link CheckersFailTest}, for the promise about runs that end processes. */
@Tag("simulation")
class PoisonCheckersFailTest {
  private static final int MANY = 500;

  @Test
  void a_run_that_ends_processes_again_and_again() {
    FalsifiedEvidence.sees(
        Generator.MIXED,
        new OnlyPoisonIsKeptOut(),
        truth -> {
          Observation kill =
              truth.observations().stream()
                  .filter(seen -> isEnd(seen) && ((Observation.ProcessEnded) seen).killer() != null)
                  .findFirst()
                  .orElse(null);
          return kill == null
              ? null
              : seeing(
                  truth,
                  seen -> {
                    seen.addAll(Collections.nCopies(MANY, kill));
                    return seen;
                  });
        });
  }

  @Test
  void a_run_that_was_quarantined_though_no_process_had_ended() {
    FalsifiedEvidence.sees(
        Generator.CORE,
        new OnlyPoisonIsKeptOut(),
        truth -> {
          Evidence lie =
              FalsifiedEvidence.withJournal(
                  truth, row -> row.seq() == 1, PoisonCheckersFailTest::withQuarantine);
          return lie == null ? null : seeing(lie, PoisonCheckersFailTest::withoutEnds);
        });
  }

  @Test
  void a_run_that_was_quarantined_because_of_another_one() {
    FalsifiedEvidence.sees(
        Generator.CORE,
        new OnlyPoisonIsKeptOut(),
        truth -> {
          Evidence lie =
              FalsifiedEvidence.withJournal(
                  truth, row -> row.seq() == 1, PoisonCheckersFailTest::withQuarantine);
          return lie == null
              ? null
              : seeing(
                  lie,
                  seen -> {
                    List<Observation> all = withoutEnds(seen);
                    var end = new Observation.ProcessEnded("node", "r-other", 0, 1);
                    all.addAll(List.of(end, end));
                    return all;
                  });
        });
  }

  private static List<Observation> withoutEnds(List<Observation> seen) {
    return new ArrayList<>(seen.stream().filter(one -> !isEnd(one)).toList());
  }

  private static boolean isEnd(@Nullable Observation seen) {
    return seen instanceof Observation.ProcessEnded;
  }

  private static JournalRow withQuarantine(JournalRow row) {
    List<JournalEntry> entries = new ArrayList<>(row.readEntries());
    entries.addFirst(new RunEntry.Quarantined("made up"));
    return new JournalRow(
        row.run(),
        row.seq(),
        row.op(),
        row.at(),
        JournalRow.write(entries),
        row.answers(),
        row.item());
  }

  private static Evidence seeing(Evidence truth, UnaryOperator<List<Observation>> change) {
    return new Evidence(
        truth.store(),
        truth.tenant(),
        truth.sendings(),
        truth.stepCalls(),
        truth.calls(),
        change.apply(new ArrayList<>(truth.observations())));
  }
}
