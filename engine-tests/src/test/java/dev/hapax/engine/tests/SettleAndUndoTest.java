package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.JobRequest;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.StaleReview;
import dev.hapax.flow.Undo;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A person says that an effect in review happened, and that it is to be undone. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class SettleAndUndoTest extends SagaTest {
  /** Its hotel is booked, but the answer is lost; a car would follow. */
  private Flow<Order, Receipt> trip() {
    return register(
        orders("trip")
            .body(
                (run, order) -> {
                  run.effect("flight", booking(order, undo("flight")), _ -> send("flight"));
                  run.effect(
                      "hotel",
                      create(order).unguarded().compensate(undo("hotel")),
                      _ -> {
                        send("hotel");
                        throw new IOException("reset");
                      });
                  run.effect("car", booking(order, undo("car")), _ -> send("car"));
                  return new Receipt(order.id(), "");
                }));
  }

  private RunHandle<Receipt> inReview(Flow<Order, Receipt> flow) {
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.REVIEW);
    return run;
  }

  private static Settlement undone() {
    return Settlement.happened("h-1", "the guest came elsewhere", "ada").thenCompensate();
  }

  @Test
  void what_happened_is_undone_with_all_that_its_run_did() {
    RunHandle<Receipt> run = inReview(trip());

    hapax.settle(effect(EffectState.REVIEW).id(), undone());
    awaitStatus(run, RunStatus.COMPENSATED);

    assertThat(world).containsExactly("flight", "hotel", "undo-hotel", "undo-flight");
    assertThat(state("trip/hotel")).isEqualTo(EffectState.UNDONE);
    assertThat(state("trip/flight")).isEqualTo(EffectState.UNDONE);
    assertThat(types(run))
        .containsSubsequence("settled", "cancel-requested", "compensation-started", "ended");
    assertThat(entry(run, "settled").decision()).isEqualTo("happened by ada");
  }

  @Test
  void decision_and_undo_survive_a_crash_together() {
    Flow<Order, Receipt> flow = trip();
    RunHandle<Receipt> run = inReview(flow);

    hapax.settle(effect(EffectState.REVIEW).id(), undone());
    crash(flow);
    eventually(() -> hapax.run(run.id()).status() == RunStatus.COMPENSATED);

    assertThat(world).doesNotContain("car").endsWith("undo-flight");
    assertThat(state("trip/hotel")).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void what_happened_in_many_runs_is_undone_by_one_job() {
    Flow<Order, Receipt> flow = trip();
    RunHandle<Receipt> first = inReview(flow);
    RunHandle<Receipt> second = hapax.start(flow, order("A-2"));
    awaitStatus(second, RunStatus.REVIEW);
    RunHandle<Receipt> mail = hapax.start(mail(), order("A-3"));
    awaitStatus(mail, RunStatus.REVIEW);

    Job job =
        hapax
            .jobs()
            .start(
                JobRequest.settleAndCompensate(
                    JobSelection.everything(), "the guests came elsewhere", "ada"));
    awaitStatus(first, RunStatus.COMPENSATED);
    awaitStatus(second, RunStatus.COMPENSATED);
    moveUntil(Duration.ofMillis(500), () -> hapax.jobs().job(job.id()).state() == JobState.DONE);

    assertThat(world).doesNotContain("car");
    assertThat(hapax.jobs().job(job.id()).done()).isEqualTo(2);
    assertThat(hapax.jobs().items(job.id(), JobItemState.SKIPPED, 0, 9))
        .singleElement()
        .satisfies(item -> assertThat(item.problem()).contains("declares no compensation"));
    assertThat(mail.run().status()).isEqualTo(RunStatus.REVIEW);
  }

  private Flow<Order, Receipt> mail() {
    return register(
        charging(
            "mail",
            create(order("A-1")).unguarded(),
            _ -> {
              throw new IOException("reset");
            }));
  }

  @Test
  void a_review_that_has_changed_undoes_nothing() {
    RunHandle<Receipt> run = inReview(trip());
    EffectRecord row = effect(EffectState.REVIEW);

    assertThatThrownBy(
            () -> hapax.settle(row.id(), undone().seen(row.revision(), row.attempts() + 1)))
        .isInstanceOf(StaleReview.class);

    assertThat(run.run().status()).isEqualTo(RunStatus.REVIEW);
    assertThat(run.run().cancel()).isNull();
  }

  @Test
  void an_effect_without_a_compensation_is_refused_and_stays_in_review() {
    RunHandle<Receipt> run = inReview(mail());
    String id = effect(EffectState.REVIEW).id();

    assertThatThrownBy(() -> hapax.settle(id, undone()))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("declares no compensation");

    assertThat(run.run().status()).isEqualTo(RunStatus.REVIEW);
    assertThat(run.run().cancel()).isNull();
  }

  @Test
  void a_run_that_is_canceled_without_compensation_undoes_nothing() {
    RunHandle<Receipt> run = inReview(trip());
    hapax.cancel(run.id(), "bob", "not wanted");
    String id = effect(EffectState.REVIEW).id();

    assertThatThrownBy(() -> hapax.settle(id, undone()))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("without compensation, as bob requested");

    assertThat(effect(EffectState.REVIEW).id()).isEqualTo(id);
  }

  @Test
  void the_undo_of_an_effect_is_not_undone_itself() {
    Flow<Order, Receipt> flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      run.effect(
                          "flight",
                          create(order)
                              .keyed()
                              .compensate(
                                  Undo.unguarded(
                                      _ -> {
                                        throw new IOException("reset");
                                      })),
                          _ -> send("flight"));
                      throw new IllegalStateException("no money");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    eventually(() -> run.run().status() == RunStatus.COMPENSATING && isAnyInReview());
    String id = effect(EffectState.REVIEW).id();

    assertThatThrownBy(() -> hapax.settle(id, undone()))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("undoes another one");
  }

  private boolean isAnyInReview() {
    return hapax.effects(hapax.effects()).stream()
        .anyMatch(row -> row.state() == EffectState.REVIEW);
  }

  @Test
  void only_what_happened_can_be_undone() {
    assertThatThrownBy(() -> Settlement.notHappened("no trace", "ada").thenCompensate())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(SettleDecision.NOT_HAPPENED.word());
  }
}
