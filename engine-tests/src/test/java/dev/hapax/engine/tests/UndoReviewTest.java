package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.Settlement;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Undo;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An undo in doubt is settled like any effect in doubt. */
class UndoReviewTest extends SagaTest {
  private Flow<Order, Receipt> unguardedTrip() {
    return trips()
        .body(
            (run, order) -> {
              run.effect(
                  "flight",
                  booking(order, Undo.unguarded(_ -> send("undo-flight"))),
                  _ -> send("flight"));
              run.effect(
                  "hotel",
                  booking(order, Undo.unguarded(_ -> send("undo-hotel"))),
                  _ -> send("hotel"));
              throw new IllegalStateException("no money");
            });
  }

  private RunHandle<Receipt> inReview(Flow<Order, Receipt> flow) {
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATING);
    return run;
  }

  @Test
  void an_undo_in_doubt_goes_to_a_person_if_nothing_else_can_decide() {
    trouble.put("undo-hotel", () -> new IllegalStateException("reset"));
    RunHandle<Receipt> run = inReview(register(unguardedTrip()));
    assertThat(state("trip/hotel")).isEqualTo(EffectState.UNDOING);

    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened(null, "they have it", "ann"));

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "hotel", "undo-flight");
    assertThat(state("trip/hotel")).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void an_undo_that_did_not_happen_is_sent_again() {
    trouble.put("undo-hotel", () -> new IllegalStateException("reset"));
    RunHandle<Receipt> run = inReview(register(unguardedTrip()));
    trouble.clear();

    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.notHappened("not there", "ann"));

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "hotel", "undo-hotel", "undo-flight");
    assertThat(state("trip/hotel")).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void an_undo_that_is_given_up_leaves_its_effect_done_and_the_rest_is_undone() {
    trouble.put("undo-hotel", () -> new IllegalStateException("reset"));
    RunHandle<Receipt> run = inReview(register(unguardedTrip()));

    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.abandon("leave it", "ann"));

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "hotel", "undo-flight");
    assertThat(state("trip/hotel")).isEqualTo(EffectState.DONE);
    assertThat(state("trip/hotel.undo")).isEqualTo(EffectState.ABANDONED);
  }

  @Test
  void a_review_of_an_undo_survives_a_crash() {
    trouble.put("undo-hotel", () -> new IllegalStateException("reset"));
    var flow = register(unguardedTrip());
    RunHandle<Receipt> run = inReview(flow);

    crash(flow);
    assertThatThrownBy(() -> hapax.handle(run.id(), Receipt.class).await())
        .isInstanceOf(RunInReview.class);
    trouble.clear();
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.notHappened("not there", "ann"));

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "hotel", "undo-hotel", "undo-flight");
  }

  @Test
  void what_was_there_before_the_run_sent_it_is_a_persons_to_undo() {
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      run.effect(
                          "flight",
                          create(order)
                              .lookup(_ -> Optional.of("there"))
                              .compensate(undo("flight")),
                          _ -> send("flight"));
                      throw new IllegalStateException("no money");
                    }));
    RunHandle<Receipt> run = inReview(flow);

    assertThat(effect(EffectState.REVIEW).evidence()).contains("there before");
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.abandon("not ours", "ann"));

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).isEmpty();
  }

  @Test
  void an_undo_under_way_that_the_code_has_changed_is_a_persons() {
    trouble.put("undo-flight", () -> new NotApplied("429"));
    var flow = register(tripUndoneBy(undo("flight")));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    eventually(() -> types(run).contains("not-applied"));

    crash(tripUndoneBy(Undo.upsert(_ -> send("undo-flight"))));
    moveUntil(Duration.ofMillis(50), () -> types(run).contains("review"));

    assertThat(entry(run, "review").evidence()).contains("guard 'keyed'").contains("'upsert'");
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATING);
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened(null, "by hand", "ann"));
    awaitStatus(run, RunStatus.COMPENSATED);
  }

  @Test
  void an_undo_under_way_that_the_code_no_longer_knows_is_a_persons() {
    trouble.put("undo-flight", () -> new NotApplied("429"));
    var flow = register(tripUndoneBy(undo("flight")));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    eventually(() -> types(run).contains("not-applied"));

    crash(
        trips()
            .body(
                (_, _) -> {
                  throw new IllegalStateException("no money");
                }));
    moveUntil(Duration.ofMillis(50), () -> types(run).contains("review"));

    assertThat(entry(run, "review").evidence()).contains("did not reach step 'flight'");
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened(null, "by hand", "ann"));
    awaitStatus(run, RunStatus.COMPENSATED);
  }

  private Flow<Order, Receipt> tripUndoneBy(Undo undo) {
    return trips()
        .body(
            (run, order) -> {
              run.effect("flight", booking(order, undo), _ -> send("flight"));
              throw new IllegalStateException("no money");
            });
  }
}
