package dev.hapax.testkit.simulation;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.testkit.promise.DoneMeansSent;
import dev.hapax.testkit.promise.EffectHappensOnce;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.IntentBeforeSend;
import dev.hapax.testkit.promise.JournalLine;
import dev.hapax.testkit.promise.NoDoubtIsDropped;
import dev.hapax.testkit.promise.NoPhantom;
import dev.hapax.testkit.promise.Observation;
import dev.hapax.testkit.promise.OneKeyPerIntent;
import dev.hapax.testkit.promise.RetriesKeepTheirTerms;
import dev.hapax.testkit.promise.Sending;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** As {@link CheckersFailTest}, for the promises about effects. */
class EffectCheckersFailTest extends FalsifiedEvidence {
  @Test
  void a_sending_without_an_intent() {
    sees(
        new IntentBeforeSend(),
        truth ->
            withSending(
                truth,
                one -> true,
                one -> copy(one, one.wireKey(), null, one.heard(), one.applied())));
  }

  @Test
  void a_sending_beyond_its_intents() {
    sees(
        new IntentBeforeSend(),
        truth -> {
          List<Sending> sendings = new ArrayList<>(truth.sendings());
          if (sendings.isEmpty() || sendings.getFirst().attempt() != 1) {
            return null;
          }
          sendings.add(1, sendings.getFirst());
          return with(truth, sendings, truth.stepCalls(), truth.calls());
        });
  }

  @Test
  void two_keys_for_one_intent() {
    sees(
        new OneKeyPerIntent(),
        truth -> {
          if (truth.sendings().isEmpty()) {
            return null;
          }
          Sending one = truth.sendings().getFirst();
          List<Sending> sendings = new ArrayList<>(truth.sendings());
          sendings.add(copy(one, "another", one.intent(), one.heard(), one.applied()));
          return with(truth, sendings, truth.stepCalls(), truth.calls());
        });
  }

  @Test
  void an_effect_that_happened_twice() {
    sees(
        new EffectHappensOnce(),
        truth -> {
          for (Sending one : truth.sendings()) {
            if (one.applied() && !one.mayRepeat() && !one.guard().equals("upsert")) {
              List<Sending> sendings = new ArrayList<>(truth.sendings());
              sendings.add(one);
              return with(truth, sendings, truth.stepCalls(), truth.calls());
            }
          }
          return null;
        });
  }

  @Test
  void a_step_that_counts_as_done_by_another_one_with_other_content() {
    sees(
        Generator.MIXED,
        new DoneMeansSent(),
        truth -> {
          for (Run run : truth.runs()) {
            String id = run.id().toString();
            for (JournalLine line : truth.journal(run)) {
              if (line.entry() instanceof EffectEntry.Claimed claim
                  && line.answer() instanceof ClaimAnswer.Reused reused
                  && reused.fromRun().equals(id)
                  && !reused.stale()
                  && !reused.superseded()
                  && isByAnotherStep(truth.journal(run), claim, reused)) {
                return withOtherContent(truth, id, claim.step());
              }
            }
          }
          return null;
        });
  }

  private static boolean isByAnotherStep(
      List<JournalLine> journal, EffectEntry.Claimed claim, ClaimAnswer.Reused reused) {
    return journal.stream()
        .anyMatch(
            line ->
                line.entry() instanceof EffectEntry.Claimed first
                    && line.answer() instanceof ClaimAnswer.Granted(long effect, int revision)
                    && effect == reused.effect()
                    && revision == reused.revision()
                    && !first.step().inRound(1).equals(claim.step().inRound(1)));
  }

  private static Evidence withOtherContent(Evidence truth, String run, Step step) {
    List<Observation> seen = new ArrayList<>();
    for (Observation one : truth.observations()) {
      boolean isIt =
          one instanceof Observation.EffectWanted(var of, var at, var _)
              && of.equals(run)
              && at.inRound(1).equals(step.inRound(1));
      seen.add(isIt ? new Observation.EffectWanted(run, step, "something else") : one);
    }
    return new Evidence(
        truth.store(), truth.tenant(), truth.sendings(), truth.stepCalls(), truth.calls(), seen);
  }

  @Test
  void a_doubt_that_was_dropped() {
    sees(
        new NoDoubtIsDropped(),
        truth ->
            truth.sendings().stream().allMatch(one -> one.attempt() == 1)
                ? withSending(
                    truth,
                    one -> one.heard() == Sending.Heard.REJECTED,
                    one ->
                        copy(
                            one, one.wireKey(), one.intent(), Sending.Heard.UNCLEAR, one.applied()))
                : null);
  }

  @Test
  void an_outcome_without_its_effect() {
    sees(
        new NoPhantom(),
        truth ->
            withSending(
                truth,
                one -> one.applied() && isOnlySource(truth, one),
                one -> copy(one, one.wireKey(), one.intent(), one.heard(), false)));
  }

  /** Whether a journal holds its result as done, and no other sending could have brought it. */
  private static boolean isOnlySource(Evidence truth, Sending one) {
    long same =
        truth.sendings().stream()
            .filter(other -> other.intentKey().equals(one.intentKey()))
            .count();
    return same == 1
        && truth.runs().stream()
            .flatMap(run -> truth.journal(run).stream())
            .anyMatch(
                line ->
                    line.entry() instanceof EffectEntry.EffectDone done
                        && Objects.equals(done.output(), one.result()));
  }

  @Test
  void one_attempt_more_than_the_policy_allows() {
    sees(
        new RetriesKeepTheirTerms(),
        truth -> {
          for (Sending one : truth.sendings()) {
            if (one.intent() != null) {
              List<Sending> sendings = new ArrayList<>(truth.sendings());
              for (int i = 0; i < 20 * one.mostAttempts(); i++) {
                sendings.add(one);
              }
              return with(truth, sendings, truth.stepCalls(), truth.calls());
            }
          }
          return null;
        });
  }

  @Test
  void a_refusal_that_is_to_be_tried_again() {
    sees(
        new RetriesKeepTheirTerms(),
        truth ->
            withSending(
                truth,
                one -> one.heard() == Sending.Heard.NOT_APPLIED && isNoted(truth, one),
                one -> copy(one, one.wireKey(), one.intent(), Sending.Heard.REJECTED, false)));
  }

  /** Whether its process has lived to write it down. */
  private static boolean isNoted(Evidence truth, Sending sending) {
    return truth.runs().stream()
        .filter(run -> run.id().toString().equals(sending.run()))
        .flatMap(run -> truth.journal(run).stream())
        .anyMatch(
            line ->
                line.entry() instanceof EffectEntry.NotApplied note
                    && note.attempt() == sending.attempt()
                    && sending.intent() != null
                    && sending.intent().step().equals(note.step())
                    && sending.intent().revision() == note.revision());
  }

  @Test
  void a_claim_of_what_was_claimed_though_no_person_retried_it() {
    sees(
        new RetriesKeepTheirTerms(),
        truth -> {
          JournalRow claim = lastGranted(truth);
          return claim == null
              ? null
              : withJournal(
                  truth,
                  row -> row.run() == claim.run() && row.seq() == claim.seq() + 1,
                  row ->
                      new JournalRow(
                          row.run(),
                          row.seq(),
                          row.op(),
                          row.at(),
                          claim.entries(),
                          claim.answers(),
                          claim.item()));
        });
  }

  private static @Nullable JournalRow lastGranted(Evidence truth) {
    return truth.runs().stream()
        .flatMap(run -> truth.journal(run).stream())
        .filter(
            line ->
                line.entry() instanceof EffectEntry.Claimed
                    && line.answer() instanceof ClaimAnswer.Granted)
        .map(JournalLine::row)
        .reduce((_, later) -> later)
        .orElse(null);
  }

  @Test
  void an_attempt_before_its_time() {
    sees(
        new RetriesKeepTheirTerms(),
        truth -> {
          JournalRow second = secondAttempt(truth);
          return second == null
              ? null
              : withJournal(
                  truth,
                  row -> row.run() == second.run() && row.seq() == second.seq(),
                  row ->
                      new JournalRow(
                          row.run(),
                          row.seq(),
                          row.op(),
                          Instant.EPOCH,
                          row.entries(),
                          row.answers(),
                          row.item()));
        });
  }

  /** One that had a time to wait for. */
  private static @Nullable JournalRow secondAttempt(Evidence truth) {
    for (Run run : truth.runs()) {
      Map<Step, JournalEntry> last = new HashMap<>();
      for (JournalLine line : truth.journal(run)) {
        Step step = line.entry().step();
        if (step == null) {
          continue;
        }
        JournalEntry before = last.put(step, line.entry());
        if (line.entry() instanceof EffectEntry.Attempted
            && before instanceof EffectEntry.NotApplied) {
          return line.row();
        }
      }
    }
    return null;
  }

  private static @Nullable Evidence withSending(
      Evidence truth, Predicate<Sending> which, UnaryOperator<Sending> change) {
    List<Sending> sendings = new ArrayList<>(truth.sendings());
    for (int i = 0; i < sendings.size(); i++) {
      if (which.test(sendings.get(i))) {
        sendings.set(i, change.apply(sendings.get(i)));
        return with(truth, sendings, truth.stepCalls(), truth.calls());
      }
    }
    return null;
  }

  private static Sending copy(
      Sending one,
      String wireKey,
      @Nullable EffectRecord intent,
      Sending.Heard heard,
      boolean applied) {
    return new Sending(
        one.at(),
        one.effect(),
        one.key(),
        one.run(),
        one.oncePerRun(),
        one.guard(),
        one.mayRepeat(),
        one.mostAttempts(),
        wireKey,
        one.request(),
        intent,
        one.target(),
        heard,
        applied,
        one.result());
  }
}
