package dev.hapax.testkit.simulation;

import dev.hapax.flow.Failure;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.flow.WaitState;
import dev.hapax.run.StoredMessage;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.CountersAreExact;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.FinishedStepsStayFinished;
import dev.hapax.testkit.promise.FirstAnswerDecides;
import dev.hapax.testkit.promise.ItemsAreHandledOnce;
import dev.hapax.testkit.promise.JournalLine;
import dev.hapax.testkit.promise.MessagesAreDelivered;
import dev.hapax.testkit.promise.MessagesKeepTheirLine;
import dev.hapax.testkit.promise.Observation;
import dev.hapax.testkit.promise.OneHolderPerLock;
import dev.hapax.testkit.promise.Promise;
import dev.hapax.testkit.promise.ReferencedValuesStay;
import dev.hapax.testkit.promise.StepCall;
import dev.hapax.testkit.promise.UndoneInReverse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link CheckersFailTest}, for the promises that the features make. */
@Tag("simulation")
class FeatureCheckersFailTest {
  private static void sees(Promise promise, FalsifiedEvidence.Falsification falsification) {
    FalsifiedEvidence.sees(Generator.MIXED, promise, falsification);
  }

  @Test
  void a_second_answer_that_hears_that_it_decided() {
    sees(
        new FirstAnswerDecides(),
        truth ->
            withObservation(
                truth,
                Observation.WaitAnswered.class,
                answer -> answer.state() == WaitState.DECIDED && !answer.isFirst(),
                answer ->
                    new Observation.WaitAnswered(
                        answer.number(),
                        answer.said(),
                        answer.told(),
                        answer.state(),
                        true,
                        answer.heard())));
  }

  @Test
  void an_answer_that_heard_another_decision() {
    sees(
        new FirstAnswerDecides(),
        truth ->
            withObservation(
                truth,
                Observation.WaitAnswered.class,
                answer -> answer.state() == WaitState.DECIDED,
                answer ->
                    new Observation.WaitAnswered(
                        answer.number(),
                        answer.said(),
                        answer.told(),
                        answer.state(),
                        answer.isFirst(),
                        "\"something else\"")));
  }

  @Test
  void a_token_that_was_outside_before_its_wait_was_durable() {
    sees(
        new FirstAnswerDecides(),
        truth ->
            withObservation(
                truth,
                Observation.WaitAnswered.class,
                _ -> true,
                answer -> Observation.WaitAnswered.unheard(0, answer.said(), answer.told())));
  }

  @Test
  void a_strangers_token_that_was_accepted() {
    sees(
        new FirstAnswerDecides(),
        truth ->
            withObservation(
                truth,
                Observation.StrangerAnswered.class,
                _ -> true,
                _ -> new Observation.StrangerAnswered(ClientCall.Answer.ACCEPTED)));
  }

  @Test
  void a_run_that_heard_another_decision() {
    sees(
        new FirstAnswerDecides(),
        truth ->
            FalsifiedEvidence.withJournal(
                truth,
                row ->
                    row.entries().contains("\"state\":\"DECIDED\"")
                        && !isRetried(truth, row.run()), // then what expired is open again
                row -> edited(row, "\"state\":\"DECIDED\"", "\"state\":\"EXPIRED\"")));
  }

  private static boolean isRetried(Evidence truth, long run) {
    return truth.store().journal(run).stream()
        .anyMatch(row -> row.entries().contains("\"retried\""));
  }

  @Test
  void an_item_that_ended_twice() {
    sees(
        new ItemsAreHandledOnce(),
        truth ->
            FalsifiedEvidence.withJournal(
                truth,
                row -> row.entries().contains("\"item-ended\""),
                FeatureCheckersFailTest::withEndTwice));
  }

  private static JournalRow withEndTwice(JournalRow row) {
    List<JournalEntry> entries = new ArrayList<>();
    for (JournalEntry entry : row.readEntries()) {
      entries.add(entry);
      if (entry instanceof LoopEntry.ItemEnded) {
        entries.add(entry);
      }
    }
    return with(row, JournalRow.write(entries));
  }

  @Test
  void a_run_that_succeeded_though_items_failed() {
    sees(
        new ItemsAreHandledOnce(),
        truth ->
            FalsifiedEvidence.withJournal(
                truth,
                row -> row.entries().contains(RunStatus.PARTIAL.name()),
                row -> edited(row, RunStatus.PARTIAL.name(), RunStatus.SUCCEEDED.name())));
  }

  @Test
  void a_lock_that_an_earlier_holder_used_again() {
    sees(
        new OneHolderPerLock(),
        truth ->
            withObservation(
                truth,
                Observation.LockUsed.class,
                used -> !used.equals(lastUse(truth, used.key())),
                used -> new Observation.LockUsed(used.key(), Long.MAX_VALUE, used.run())));
  }

  private static Observation.LockUsed lastUse(Evidence truth, String key) {
    return truth.observations().stream()
        .filter(Observation.LockUsed.class::isInstance)
        .map(Observation.LockUsed.class::cast)
        .filter(used -> used.key().equals(key))
        .reduce((_, later) -> later)
        .orElseThrow();
  }

  @Test
  void a_counter_that_was_written_once_more() {
    sees(
        new CountersAreExact(),
        truth ->
            FalsifiedEvidence.withJournal(
                truth,
                row ->
                    row.entries().contains("counter-")
                        && String.valueOf(row.answers()).contains("\"written\":true"),
                row ->
                    new JournalRow(
                        row.run(),
                        row.seq(),
                        row.op(),
                        row.at(),
                        row.entries().replace("counter-", "other-"),
                        row.answers(),
                        row.item())));
  }

  @Test
  void a_message_that_arrived_with_another_content() {
    sees(
        new MessagesAreDelivered(),
        truth -> {
          List<Observation> seen = new ArrayList<>(truth.observations());
          for (Observation one : truth.observations()) {
            if (one instanceof Observation.MessageArrived(var id, var _)) {
              seen.add(new Observation.MessageArrived(id, "{}"));
              return with(truth, seen);
            }
          }
          return null;
        });
  }

  @Test
  void a_message_that_overtook_another_one_of_its_line() {
    sees(
        new MessagesKeepTheirLine(),
        truth -> {
          List<Observation> seen = new ArrayList<>(truth.observations());
          Collections.reverse(seen);
          Evidence reversed = with(truth, seen);
          boolean hasLine = !new MessagesKeepTheirLine().brokenBy(reversed).isEmpty();
          return hasLine ? reversed : null; // few runs publish more than one message
        });
  }

  @Test
  void a_message_that_never_arrived() {
    sees(
        new MessagesAreDelivered(),
        truth -> {
          List<Observation> seen = new ArrayList<>(truth.observations());
          boolean any = seen.removeIf(Observation.MessageArrived.class::isInstance);
          boolean delivered =
              truth.runs().stream()
                  .anyMatch(
                      run ->
                          run.flow().startsWith(StoredMessage.FLOWS)
                              && run.status() == RunStatus.SUCCEEDED);
          return any && delivered ? with(truth, seen) : null;
        });
  }

  @Test
  void a_value_that_was_read_as_another() {
    sees(
        new ReferencedValuesStay(),
        truth ->
            withObservation(
                truth,
                Observation.ValueRead.class,
                _ -> true,
                read -> new Observation.ValueRead(read.ref(), null)));
  }

  @Test
  void a_large_result_that_was_read_as_another() {
    sees(
        new ReferencedValuesStay(),
        truth ->
            withObservation(
                truth,
                Observation.LargeResultRead.class,
                _ -> true,
                read -> new Observation.LargeResultRead(read.key(), false)));
  }

  @Test
  void an_item_that_was_called_after_its_end() {
    sees(
        new FinishedStepsStayFinished(),
        truth -> {
          for (StepCall call : truth.stepCalls()) {
            for (StepCall later : truth.stepCalls()) {
              boolean hasEnded =
                  later.run().equals(call.run())
                      && later.journal().stream()
                          .flatMap(row -> row.readEntries().stream())
                          .anyMatch(entry -> isEndOf(call, entry))
                      && later.journal().stream().noneMatch(FeatureCheckersFailTest::mayCallAgain);
              if (hasEnded) {
                List<StepCall> calls = new ArrayList<>(truth.stepCalls());
                calls.add(new StepCall(call.run(), call.step(), call.release(), later.journal()));
                return new Evidence(
                    truth.store(),
                    truth.tenant(),
                    truth.sendings(),
                    calls,
                    truth.calls(),
                    truth.observations());
              }
            }
          }
          return null;
        });
  }

  private static boolean mayCallAgain(JournalRow row) {
    return row.entries().contains("\"retried\"") || row.entries().contains("\"compensation-");
  }

  private static boolean isEndOf(StepCall call, JournalEntry entry) {
    return entry instanceof LoopEntry.ItemEnded(var step, var error, _)
        && error == null
        && step.equals(call.step());
  }

  @Test
  void a_run_that_goes_forward_after_it_began_to_undo() {
    sees(
        new UndoneInReverse(),
        truth ->
            FalsifiedEvidence.withJournal(
                truth,
                row -> row.seq() == 1 && row.entries().contains("\"claimed\""),
                FeatureCheckersFailTest::withCompensationFirst));
  }

  private static JournalRow withCompensationFirst(JournalRow row) {
    List<JournalEntry> entries = new ArrayList<>(row.readEntries());
    entries.addFirst(new RunEntry.CompensationStarted(Failure.of("error", "made up", false)));
    return with(row, JournalRow.write(entries));
  }

  @Test
  void an_undo_that_is_missing() {
    sees(
        new UndoneInReverse(),
        truth -> {
          boolean isUndone =
              truth.runs().stream()
                  .flatMap(run -> truth.journal(run).stream())
                  .anyMatch(FeatureCheckersFailTest::isUndone);
          return isUndone
              ? FalsifiedEvidence.withJournal(
                  truth,
                  row -> row.entries().contains(".undo\""),
                  row ->
                      with(
                          row,
                          JournalRow.write(
                              row.readEntries().stream()
                                  .filter(entry -> !isOfUndo(entry))
                                  .toList())))
              : null;
        });
  }

  private static boolean isUndone(JournalLine line) {
    return line.entry() instanceof EffectEntry.EffectDone && isOfUndo(line.entry());
  }

  private static boolean isOfUndo(JournalEntry entry) {
    Step step = entry.step();
    return step != null && step.isUndo();
  }

  // ---- how evidence is falsified

  private static JournalRow edited(JournalRow row, String text, String by) {
    return with(row, row.entries().replace(text, by));
  }

  private static JournalRow with(JournalRow row, String entries) {
    return new JournalRow(
        row.run(), row.seq(), row.op(), row.at(), entries, row.answers(), row.item());
  }

  private static Evidence with(Evidence truth, List<Observation> seen) {
    return new Evidence(
        truth.store(), truth.tenant(), truth.sendings(), truth.stepCalls(), truth.calls(), seen);
  }

  /** The first that fits is another one. */
  private static <T extends Observation> @Nullable Evidence withObservation(
      Evidence truth, Class<T> kind, Predicate<T> which, UnaryOperator<T> change) {
    List<Observation> seen = new ArrayList<>(truth.observations());
    for (int i = 0; i < seen.size(); i++) {
      if (kind.isInstance(seen.get(i)) && which.test(kind.cast(seen.get(i)))) {
        seen.set(i, change.apply(kind.cast(seen.get(i))));
        return with(truth, seen);
      }
    }
    return null;
  }
}
