package dev.hapax.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Kind;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.testkit.promise.AdoptedIdsAreTrue;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.EffectHappensOnce;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.ImportedIsNotSent;
import dev.hapax.testkit.promise.LateAnswersAreEvidence;
import dev.hapax.testkit.promise.Observation;
import dev.hapax.testkit.promise.Promise;
import dev.hapax.testkit.promise.ReplaysAreCarriedOut;
import dev.hapax.testkit.promise.ReplaysKeepToTheirPlan;
import dev.hapax.testkit.promise.Sending;
import dev.hapax.testkit.promise.SettledIsUndone;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link CheckersFailTest}, for what people do to put things right. */
@Tag("simulation")
class RecoveryCheckersFailTest {
  private static final int SEEDS = 250;
  private static List<Evidence> truths = List.of();

  @BeforeAll
  static void simulate() {
    truths =
        LongStream.rangeClosed(1, SEEDS)
            .mapToObj(
                seed ->
                    Simulation.run(Generator.RECOVERY, Choices.of(seed), Mutation.NONE, false)
                        .evidence())
            .toList();
  }

  private static void sees(Promise promise, FalsifiedEvidence.Falsification falsification) {
    int seen = 0;
    for (Evidence truth : truths) {
      Evidence lie = promise.brokenBy(truth).isEmpty() ? falsification.of(truth) : null;
      if (lie != null) {
        assertThat(promise.brokenBy(lie)).isNotEmpty();
        seen++;
      }
    }
    assertThat(seen).isPositive();
  }

  @Test
  void an_accepted_replay_that_is_not_in_the_journal() {
    sees(
        new ReplaysAreCarriedOut(),
        truth ->
            withReplay(
                truth,
                told -> isCarriedOut(told, truth),
                told ->
                    new Observation.ReplayTold(
                        told.run(), "nobody", told.reason(), told.plan(), told.told())));
  }

  @Test
  void a_refused_replay_that_is_in_the_journal() {
    sees(
        new ReplaysAreCarriedOut(),
        truth ->
            withReplay(
                truth,
                told -> isCarriedOut(told, truth),
                told ->
                    new Observation.ReplayTold(
                        told.run(),
                        told.mark(),
                        told.reason(),
                        told.plan(),
                        ClientCall.Answer.REFUSED)));
  }

  @Test
  void a_replay_without_its_reason_in_the_history() {
    sees(
        new ReplaysAreCarriedOut(),
        truth ->
            withReplay(
                truth,
                told -> isCarriedOut(told, truth),
                told ->
                    new Observation.ReplayTold(
                        told.run(), told.mark(), "another one", told.plan(), told.told())));
  }

  @Test
  void a_replay_that_may_send_what_its_plan_does_not_have() {
    sees(
        new ReplaysAreCarriedOut(),
        truth ->
            withReplay(
                truth,
                told -> isCarriedOut(told, truth) && told.plan().totals().send() > 0,
                told -> with(told, withoutSends(told.plan()))));
  }

  @Test
  void a_plan_that_was_applied_twice() {
    sees(
        new ReplaysAreCarriedOut(),
        truth -> {
          List<Observation.ReplayTold> both =
              truth.observations().stream()
                  .filter(Observation.ReplayTold.class::isInstance)
                  .map(Observation.ReplayTold.class::cast)
                  .filter(told -> isCarriedOut(told, truth))
                  .toList();
          return both.size() < 2
              ? null
              : withReplay(
                  truth,
                  both.getLast()::equals,
                  told -> with(told, withDigest(told.plan(), both.getFirst().plan().digest())));
        });
  }

  @Test
  void a_replay_that_sent_what_its_plan_kept() {
    sees(
        new ReplaysKeepToTheirPlan(),
        truth ->
            withReplay(
                truth,
                told ->
                    isCarriedOut(told, truth)
                        && told.plan().items().stream().anyMatch(item -> isSent(item, told, truth)),
                told -> with(told, withoutSends(told.plan()))));
  }

  /** The planned revision left while the replay was the last word about the run. */
  private static boolean isSent(ReplayPlan.Item item, Observation.ReplayTold told, Evidence truth) {
    Run run = runOf(told.run(), truth);
    List<JournalRow> rows = run == null ? List.of() : truth.store().journal(run.number());
    boolean isNow = false;
    for (JournalRow row : rows) {
      if (row.entries().contains("\"replayed\"") || row.entries().contains("\"retried\"")) {
        isNow = row.entries().contains("\"" + told.mark() + "\"");
      }
      boolean isGranted =
          row.entries().contains("\"claimed\"")
              && row.entries().contains("\"step\":{\"name\":\"" + item.step() + "\"")
              && (row.answers() == null || row.answers().contains("granted"));
      if (isNow && isGranted && item.decision() == ReplayPlan.Decision.SEND) {
        return true;
      }
    }
    return false;
  }

  @Test
  void a_run_that_succeeded_though_its_plan_was_stale() {
    sees(
        new ReplaysKeepToTheirPlan(),
        truth ->
            FalsifiedEvidence.withJournal(
                truth,
                row -> row.entries().contains("\"plan-stale\"") && isEnd(row, RunStatus.FAILED),
                row -> edited(row, "\"status\":\"FAILED\"", "\"status\":\"SUCCEEDED\"")));
  }

  @Test
  void a_second_application_that_no_person_forced() {
    sees(
        new EffectHappensOnce(),
        truth ->
            withReplay(
                truth,
                told -> isCarriedOut(told, truth) && hasForced(told, truth),
                told -> with(told, withoutForce(told.plan()))));
  }

  /** Both revisions changed the destination, none was undone, and one person wanted that. */
  private static boolean hasForced(Observation.ReplayTold told, Evidence truth) {
    return told.plan().wish().force().stream()
        .filter(
            force ->
                truth.observations().stream()
                        .filter(Observation.ReplayTold.class::isInstance)
                        .map(Observation.ReplayTold.class::cast)
                        .filter(
                            one -> one.plan().wish().force().toString().contains(force.effect()))
                        .count()
                    == 1)
        .map(force -> EffectRecord.number(force.effect()))
        .filter(
            effect ->
                truth.sendings().stream()
                    .map(Sending::target)
                    .noneMatch(target -> target != null && target.number() == effect))
        .anyMatch(
            effect ->
                truth.sendings().stream()
                        .filter(sending -> sending.applied() && !sending.mayRepeat())
                        .filter(sending -> !sending.guard().equals("upsert"))
                        .map(Sending::intent)
                        .filter(row -> row != null && row.number() == effect)
                        .filter(row -> row.kind() != Kind.UPDATE)
                        .map(EffectRecord::revision)
                        .distinct()
                        .count()
                    == 2);
  }

  @Test
  void an_imported_effect_that_left() {
    sees(
        new ImportedIsNotSent(),
        truth ->
            truth.sendings().stream()
                .filter(sending -> !sending.oncePerRun())
                .findFirst()
                .map(
                    sending ->
                        and(
                            truth,
                            new Observation.EffectImported(
                                sending.effect(),
                                sending.key(),
                                Kind.CREATE,
                                ClientCall.Answer.ACCEPTED)))
                .orElse(null));
  }

  @Test
  void an_import_that_counts_as_the_same_though_it_is_new() {
    sees(
        new ImportedIsNotSent(),
        truth ->
            and(
                truth,
                new Observation.EffectImported(
                    "charge", "another", Kind.CREATE, ClientCall.Answer.DUPLICATE)));
  }

  @Test
  void an_id_that_was_noted_and_is_not_in_the_ledger() {
    sees(
        new AdoptedIdsAreTrue(),
        truth ->
            truth.effects().stream()
                .filter(row -> row.externalId() == null)
                .findFirst()
                .map(
                    row ->
                        and(
                            truth,
                            new Observation.IdAdopted(
                                row.number(), row.wireKey(), "x", ClientCall.Answer.ACCEPTED)))
                .orElse(null));
  }

  @Test
  void an_id_that_was_noted_twice() {
    sees(
        new AdoptedIdsAreTrue(),
        truth ->
            truth.observations().stream()
                .filter(Observation.IdAdopted.class::isInstance)
                .filter(one -> one.told() == ClientCall.Answer.ACCEPTED)
                .findFirst()
                .map(one -> and(truth, one))
                .orElse(null));
  }

  @Test
  void a_settlement_whose_undo_never_came() {
    sees(
        new SettledIsUndone(),
        truth ->
            truth.runs().stream()
                .filter(run -> run.status() == RunStatus.SUCCEEDED)
                .findFirst()
                .map(
                    run ->
                        and(
                            truth,
                            new Observation.UndoWanted(
                                run.id().toString(), "nobody", ClientCall.Answer.ACCEPTED)))
                .orElse(null));
  }

  @Test
  void a_late_answer_to_a_decision_that_no_person_made() {
    sees(
        new LateAnswersAreEvidence(),
        truth ->
            FalsifiedEvidence.withJournal(
                truth,
                row -> row.entries().contains("\"answered-late\""),
                row -> edited(row, "\"actor\":\"", "\"actor\":\"not-")));
  }

  // ---- how evidence is falsified

  private static boolean isCarriedOut(Observation.ReplayTold told, Evidence truth) {
    return told.told() == ClientCall.Answer.ACCEPTED && runOf(told.run(), truth) != null;
  }

  private static @Nullable Run runOf(String id, Evidence truth) {
    return truth.runs().stream()
        .filter(run -> run.id().toString().equals(id))
        .findFirst()
        .orElse(null);
  }

  private static boolean isEnd(JournalRow row, RunStatus status) {
    return row.entries().contains("\"status\":\"" + status + "\"");
  }

  private static @Nullable Evidence withReplay(
      Evidence truth,
      Predicate<Observation.ReplayTold> which,
      UnaryOperator<Observation.ReplayTold> change) {
    List<Observation> seen = new ArrayList<>(truth.observations());
    for (int i = 0; i < seen.size(); i++) {
      if (seen.get(i) instanceof Observation.ReplayTold told && which.test(told)) {
        seen.set(i, change.apply(told));
        return with(truth, seen);
      }
    }
    return null;
  }

  private static Observation.ReplayTold with(Observation.ReplayTold told, ReplayPlan plan) {
    return new Observation.ReplayTold(told.run(), told.mark(), told.reason(), plan, told.told());
  }

  private static ReplayPlan withoutSends(ReplayPlan plan) {
    return new ReplayPlan(
        plan.run(),
        plan.wish(),
        plan.release(),
        plan.differences(),
        plan.items().stream().filter(item -> item.decision() != ReplayPlan.Decision.SEND).toList(),
        plan.ends(),
        plan.digest());
  }

  private static ReplayPlan withoutForce(ReplayPlan plan) {
    ReplayWish wish = plan.wish();
    return new ReplayPlan(
        plan.run(),
        new ReplayWish(
            wish.step(),
            wish.item(),
            wish.release(),
            wish.input(),
            wish.outputs(),
            wish.ask(),
            List.of()),
        plan.release(),
        plan.differences(),
        plan.items(),
        plan.ends(),
        plan.digest());
  }

  private static ReplayPlan withDigest(ReplayPlan plan, String digest) {
    return new ReplayPlan(
        plan.run(),
        plan.wish(),
        plan.release(),
        plan.differences(),
        plan.items(),
        plan.ends(),
        digest);
  }

  private static Evidence and(Evidence truth, Observation more) {
    List<Observation> seen = new ArrayList<>(truth.observations());
    seen.add(more);
    return with(truth, seen);
  }

  private static Evidence with(Evidence truth, List<Observation> seen) {
    return new Evidence(
        truth.store(), truth.tenant(), truth.sendings(), truth.stepCalls(), truth.calls(), seen);
  }

  private static JournalRow edited(JournalRow row, String text, String instead) {
    return new JournalRow(
        row.run(),
        row.seq(),
        row.op(),
        row.at(),
        row.entries().replace(text, instead),
        row.answers(),
        row.item());
  }
}
