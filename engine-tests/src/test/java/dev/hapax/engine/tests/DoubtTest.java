package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.Settlement;
import dev.hapax.flow.DestinationDatabase;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.OnDoubt;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreFull;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An effect was sent and its outcome is unknown: what each guard does then. */
class DoubtTest extends EngineTest {
  private final World world = new World();
  private final AtomicInteger calls = new AtomicInteger();

  private Flow<Order, Receipt> flow(Effect<?> effect, RunContext.Sender<String> sender) {
    return register(charging("charge-order", effect, sender));
  }

  @Test
  void keyed_is_sent_again_with_the_same_key() {
    var flow = flow(Effect.create("A").keyed(), world::loseFirstAnswer);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    assertThat(effect(EffectState.DOUBT).evidence()).contains("connection reset");

    moveAndWake(Duration.ofMinutes(1), run);

    assertThat(run.await().order()).isEqualTo("A");
    assertThat(world.arrivals()).hasSize(2).containsOnly(world.arrivals().getFirst());
    assertThat(entry(run, "doubt").decision()).contains("removes the duplicate by its key");
  }

  @Test
  void keyed_past_its_window_goes_to_review() {
    var flow = flow(Effect.create("A").keyed(Duration.ofMinutes(10)), world::loseFirstAnswer);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    moveAndWake(Duration.ofMinutes(10), run);

    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);
    assertThat(world.count()).isEqualTo(1);
    assertThat(effect(EffectState.REVIEW).evidence()).contains("window");
  }

  @Test
  void a_clock_set_back_while_the_process_was_down_does_not_open_the_window_again() {
    var flow = flow(Effect.create("A").keyed(Duration.ofMinutes(10)), world::applyAndHang);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> world.count() == 1);
    var start = time.now();
    time.move(Duration.ofHours(1));
    hapax
        .start(
            register(orders("other").body((_, order) -> new Receipt(order.id(), ""))), order("B"))
        .await();
    time.jumpTo(start);

    crash(flow);

    awaitStatus(run, RunStatus.REVIEW);
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void keyed_past_its_window_is_looked_up_if_it_declares_a_lookup() {
    var effect = Effect.create("A").keyed(Duration.ofMinutes(10), _ -> Optional.of("found"));
    var flow = flow(effect, world::loseFirstAnswer);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    moveAndWake(Duration.ofMinutes(10), run);

    assertThat(run.await().key()).isEqualTo("found");
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void a_process_that_dies_in_flight_leaves_a_doubt_that_keyed_settles_at_once() {
    var flow = flow(Effect.create("A").keyed(), world::applyAndHang);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> world.count() == 1);

    crash(flow);
    eventually(() -> world.count() == 2);
    world.answerLate(world.arrivals().getFirst());

    assertThat(hapax.handle(run.id(), Receipt.class).await().key()).startsWith("late-");
    assertThat(world.arrivals()).containsOnly(world.arrivals().getFirst());
    assertThat(entry(run, "doubt").evidence())
        .contains("process ended while attempt 1 was in flight");
  }

  @Test
  void a_later_refusal_says_nothing_about_an_earlier_ambiguous_attempt() {
    var flow =
        flow(
            Effect.create("A").keyed().retry(retries(2)),
            key -> {
              world.apply(key);
              if (calls.incrementAndGet() == 1) {
                throw new IOException("timeout");
              }
              throw new Rejected("bad-request", "400");
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    moveAndWake(Duration.ofMinutes(1), run);

    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);
  }

  @Test
  void an_attempt_that_was_not_applied_does_not_settle_an_earlier_doubt() {
    var flow =
        flow(
            Effect.create("A").keyed().retry(retries(2)),
            key -> {
              if (calls.incrementAndGet() == 1) {
                throw new IOException("timeout");
              }
              throw new NotApplied("429");
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    moveAndWake(Duration.ofMinutes(1), run);

    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);
  }

  @Test
  void upsert_is_sent_again_only_when_the_open_attempt_has_returned() {
    var hang = new CountDownLatch(1);
    var flow =
        flow(
            Effect.create("A").upsert().timeout(Duration.ofSeconds(5)),
            key -> {
              String answer = world.apply(key);
              if (calls.incrementAndGet() == 1) {
                awaitUninterruptibly(hang);
                throw new IOException("reset at last");
              }
              return answer;
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> calls.get() == 1);
    moveUntil(Duration.ofSeconds(5), this::isInDoubt);
    assertThat(world.count()).isEqualTo(1);

    hang.countDown();
    moveUntil(Duration.ofSeconds(1), () -> run.run().status().isEnd());

    assertThat(run.await().order()).isEqualTo("A");
    assertThat(world.count()).isEqualTo(2);
  }

  @Test
  void a_sender_that_never_returns_ends_in_review() {
    var flow =
        flow(
            Effect.create("A").upsert().timeout(Duration.ofSeconds(5)),
            key -> {
              world.apply(key);
              calls.incrementAndGet();
              awaitUninterruptibly(new CountDownLatch(1));
              return "never";
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> calls.get() == 1);
    moveUntil(Duration.ofSeconds(5), this::isInDoubt);

    moveUntil(Duration.ofHours(1), () -> run.run().status() == RunStatus.REVIEW);

    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void a_late_answer_of_the_open_attempt_settles_its_doubt() {
    var hang = new CountDownLatch(1);
    var flow =
        flow(
            Effect.create("A").upsert().timeout(Duration.ofSeconds(5)),
            key -> {
              calls.incrementAndGet();
              awaitUninterruptibly(hang);
              return world.apply(key);
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> calls.get() == 1);
    moveUntil(Duration.ofSeconds(5), this::isInDoubt);
    hang.countDown();

    assertThat(run.await().order()).isEqualTo("A");
    assertThat(world.count()).isEqualTo(1);
    assertThat(entry(run, "done").decision()).isEqualTo("answered late");
  }

  @Test
  void transaction_runs_again_and_meets_its_marker() {
    var markers = new ConcurrentHashMap<String, String>();
    DestinationDatabase<Map<String, String>> database =
        (marker, work) -> {
          String there = markers.get(marker);
          if (there != null) {
            return there;
          }
          String result = work.in(markers);
          markers.put(marker, result);
          if (calls.incrementAndGet() == 1) {
            throw new IOException("connection lost at commit");
          }
          return result;
        };
    var flow =
        register(
            orders("charge-order")
                .body(
                    (run, order) ->
                        new Receipt(
                            order.id(),
                            run.effect(
                                "write",
                                create(order).transaction(database),
                                (key, _) -> world.apply(key),
                                String.class))));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    moveAndWake(Duration.ofMinutes(1), run);

    assertThat(run.await().key()).startsWith("applied-");
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void unguarded_goes_to_review_at_once_and_a_person_who_says_happened_gives_the_result() {
    var flow = flow(Effect.notify("A").unguarded(), world::loseFirstAnswer);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    assertThatThrownBy(run::await)
        .isInstanceOf(RunInReview.class)
        .hasMessageContaining("settle it as happened");
    assertThat(run.run().status()).isEqualTo(RunStatus.REVIEW);

    hapax.settle(
        effect(EffectState.REVIEW).id(),
        Settlement.happened("seen in the outbox", "I looked", "ada"));

    assertThat(run.await().key()).isEqualTo("seen in the outbox");
    assertThat(world.count()).isEqualTo(1);
    assertThat(entry(run, "settled").decision()).isEqualTo("happened by ada");
    assertThat(entry(run, "settled").evidence()).isEqualTo("I looked");
  }

  @Test
  void not_happened_sends_again_with_the_same_wire_key_and_a_fresh_budget() {
    var flow = flow(Effect.notify("A").unguarded().retry(retries(1)), world::loseFirstAnswer);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);

    time.move(Duration.ofDays(3));
    hapax.settle(
        effect(EffectState.REVIEW).id(), Settlement.notHappened("not in the outbox", "ada"));

    assertThat(run.await().order()).isEqualTo("A");
    assertThat(world.arrivals()).hasSize(2).containsOnly(world.arrivals().getFirst());
  }

  @Test
  void abandon_fails_the_step_and_the_next_claim_goes_to_review_without_sending() {
    var flow = flow(Effect.notify("A").unguarded(), world::loseFirstAnswer);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.abandon("nobody knows", "ada"));
    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(
            RunFailed.class, e -> assertThat(e.code()).isEqualTo("effect-abandoned"));

    hapax.retry(run.id(), "ada");
    RunHandle<Receipt> again = hapax.handle(run.id(), Receipt.class);

    assertThatThrownBy(again::await).isInstanceOf(RunInReview.class);
    assertThat(world.count()).isEqualTo(1);
    hapax.settle(
        effect(EffectState.REVIEW).id(), Settlement.happened("fine", "found it after all", "ada"));
    assertThat(again.await().key()).isEqualTo("fine");
  }

  @Test
  void only_what_is_in_review_can_be_settled() {
    var flow = flow(Effect.notify("A").unguarded(), world::apply);
    hapax.start(flow, order("A")).await();
    EffectRecord done = effect(EffectState.DONE);

    assertThatThrownBy(() -> hapax.settle(done.id(), Settlement.notHappened("why", "ada")))
        .hasMessageContaining("is done");
    assertThatThrownBy(() -> hapax.settle("e-zz", Settlement.notHappened("why", "ada")))
        .hasMessageContaining("no effect");
    assertThatThrownBy(() -> Settlement.notHappened(" ", "ada")).hasMessageContaining("reason");
  }

  @Test
  void a_flow_may_say_openly_that_a_repeat_is_accepted() {
    var flow = flow(Effect.notify("A").unguarded(OnDoubt.REPEAT), world::loseFirstAnswer);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    moveAndWake(Duration.ofMinutes(1), run);

    assertThat(run.await().order()).isEqualTo("A");
    assertThat(world.count()).isEqualTo(2);
  }

  @Test
  void a_flow_may_say_openly_that_a_doubt_is_skipped() {
    var flow =
        register(
            orders("newsletter")
                .body(
                    (run, order) -> {
                      run.effect(
                          "mail",
                          Effect.notify(order.id()).unguarded(OnDoubt.SKIP),
                          world::loseFirstAnswer);
                      return new Receipt(order.id(), "sent or not");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThat(run.await().key()).isEqualTo("sent or not");
    assertThat(effect(EffectState.ABANDONED).evidence()).contains("reset");
  }

  @Test
  void a_waiter_parks_on_the_owners_review_and_gets_the_persons_decision() {
    var owner = flow(Effect.notify("A").unguarded().name("mail"), world::loseFirstAnswer);
    var other =
        register(
            orders("other")
                .body(
                    (run, order) ->
                        new Receipt(
                            order.id(),
                            run.effect(
                                "mail",
                                Effect.notify("A").unguarded().name("mail"),
                                world::apply,
                                String.class))));
    assertThatThrownBy(hapax.start(owner, order("A"))::await).isInstanceOf(RunInReview.class);
    RunHandle<Receipt> waiter = hapax.start(other, order("A"));
    awaitStatus(waiter, RunStatus.WAITING);

    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened("it was", "seen", "ada"));

    assertThat(waiter.await().key()).isEqualTo("it was");
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void an_effect_that_throws_an_error_is_in_doubt() {
    var flow =
        flow(
            Effect.notify("A").unguarded(),
            key -> {
              world.apply(key);
              throw new OutOfMemoryError("made up");
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);
    assertThat(effect(EffectState.REVIEW).evidence()).contains("OutOfMemoryError");
  }

  @Test
  void keyed_is_not_sent_past_its_window_though_its_intent_took_long_to_commit() {
    var flow = flow(Effect.create("A").keyed(Duration.ofMinutes(10)), world::loseFirstAnswer);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    var refused = new AtomicInteger();
    var full = new AtomicBoolean(true);
    process.beforeCommit(
        batch -> {
          if (full.get() && MortalStore.writes(batch, "sent-again")) {
            refused.incrementAndGet();
            throw new StoreFull("no space", null);
          }
        });
    moveAndAwait(Duration.ofMinutes(1), () -> refused.get() > 0);

    time.move(Duration.ofHours(30));
    full.set(false);
    moveUntil(
        Duration.ofSeconds(1),
        () -> hapax.run(run.id()).status() == RunStatus.REVIEW || world.count() == 2);

    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void an_abandoned_effect_that_was_done_by_hand_is_done_in_the_ledger() {
    var flow = flow(Effect.notify("A").unguarded(), world::loseFirstAnswer);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.REVIEW);
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.abandon("no idea", "ada"));
    awaitStatus(run, RunStatus.FAILED);

    hapax.settleStep(run.id(), "charge", null, "done", "by hand", "ada");

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(effect(EffectState.DONE).result()).isEqualTo("\"done\"");
  }
}
