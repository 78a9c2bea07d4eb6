package dev.hapax.testkit.simulation;

import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.testkit.promise.AcceptedIsDurable;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.EveryDecisionIsExplained;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.FinishedStepsStayFinished;
import dev.hapax.testkit.promise.JournalHasNoGaps;
import dev.hapax.testkit.promise.JournalLine;
import dev.hapax.testkit.promise.OneRunPerKey;
import dev.hapax.testkit.promise.StepCall;
import dev.hapax.testkit.promise.WaitsFireOnceAndNotEarly;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every checker, on true evidence that was made false in one place: it must see that. */
class CheckersFailTest extends FalsifiedEvidence {
  @Test
  void an_acknowledged_run_that_is_not_there() {
    sees(
        new AcceptedIsDurable(),
        truth ->
            withCall(
                truth,
                ClientCall.Answer.ACCEPTED,
                "r-" + "a".repeat(26),
                "{}",
                Flow.Conflict.REJECT));
  }

  @Test
  void an_acknowledged_wish_that_is_not_in_the_journal() {
    sees(
        new AcceptedIsDurable(),
        truth -> {
          List<Run> runs = truth.runs();
          if (runs.isEmpty()) {
            return null;
          }
          List<ClientCall> calls = new ArrayList<>(truth.calls());
          String run = runs.getFirst().id().toString();
          calls.add(Client.about(ClientCall.Wish.RETRY, ClientCall.Answer.ACCEPTED, run, "nobody"));
          return with(truth, truth.sendings(), truth.stepCalls(), calls);
        });
  }

  @Test
  void a_second_input_that_was_not_refused() {
    sees(
        new OneRunPerKey(),
        truth -> {
          List<Run> runs = truth.runs();
          return runs.isEmpty()
              ? null
              : withCall(
                  truth,
                  ClientCall.Answer.DUPLICATE,
                  runs.getFirst().id().toString(),
                  "{\"other\":1}",
                  Flow.Conflict.REJECT);
        });
  }

  @Test
  void a_step_that_was_called_again() {
    sees(
        new FinishedStepsStayFinished(),
        truth -> {
          for (Run run : truth.runs()) {
            List<JournalRow> journal = truth.store().journal(run.number());
            boolean isRetried = journal.stream().anyMatch(row -> row.entries().contains("retried"));
            for (JournalLine line : isRetried ? List.<JournalLine>of() : truth.journal(run)) {
              if (line.entry() instanceof StepEntry.StepDone(var step, var _)) {
                List<StepCall> calls = new ArrayList<>(truth.stepCalls());
                calls.add(new StepCall(run.id().toString(), step, run.release(), journal));
                return with(truth, truth.sendings(), calls, truth.calls());
              }
            }
          }
          return null;
        });
  }

  @Test
  void a_wait_that_ended_early() {
    sees(
        new WaitsFireOnceAndNotEarly(),
        truth ->
            withJournal(
                truth,
                row -> row.entries().contains("wait-ended"),
                row ->
                    new JournalRow(
                        row.run(),
                        row.seq(),
                        row.op(),
                        Instant.EPOCH, // a clock set back at once is before the beginning
                        row.entries(),
                        row.answers())));
  }

  @Test
  void a_gap_in_a_journal() {
    sees(
        new JournalHasNoGaps(),
        truth ->
            withJournal(
                truth,
                row -> row.seq() == 1,
                row ->
                    new JournalRow(
                        row.run(), 2, row.op(), row.at(), row.entries(), row.answers())));
  }

  @Test
  void a_decision_without_a_reason() {
    sees(
        new EveryDecisionIsExplained(),
        truth ->
            withJournal(
                truth,
                row -> row.entries().contains("\"decision\":\"answered\""),
                row ->
                    new JournalRow(
                        row.run(),
                        row.seq(),
                        row.op(),
                        row.at(),
                        row.entries().replace("\"decision\":\"answered\"", "\"decision\":\"\""),
                        row.answers())));
  }

  private static Evidence withCall(
      Evidence truth, ClientCall.Answer answer, String run, String input, Flow.Conflict conflict) {
    List<ClientCall> calls = new ArrayList<>(truth.calls());
    calls.add(
        new ClientCall(ClientCall.Wish.START, answer, "order", "key", conflict, input, run, null));
    return with(truth, truth.sendings(), truth.stepCalls(), calls);
  }
}
