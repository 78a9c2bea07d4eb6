package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.Settlement;
import dev.hapax.admission.RunAdmission;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Flow code that is wrong: a clear error, a defined state, nothing lost, and no other run is
 * stopped.
 */
class BadFlowTest extends EngineTest {
  private final World world = new World();

  private void fails(RunHandle<?> run, String code, String words) {
    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(RunFailed.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(words);
  }

  @Test
  void a_step_name_that_occurs_twice_fails_the_run_with_a_message() {
    var flow =
        register(
            orders("twice")
                .body(
                    (run, order) -> {
                      run.step("same", () -> 1, Integer.class);
                      run.step("same", () -> 2, Integer.class);
                      return new Receipt(order.id(), "");
                    }));

    fails(hapax.start(flow, order("A")), "duplicate-step", "run.item(key)");
  }

  @Test
  void a_body_that_swallows_everything_cannot_go_on_without_its_journal() {
    var flow =
        register(
            orders("swallow")
                .body(
                    (run, order) -> {
                      for (int i = 0; i < 3; i++) {
                        try {
                          run.item(i).sleep("pause", Duration.ofDays(1));
                        } catch (Throwable e) {
                          // as careless code does
                        }
                      }
                      return new Receipt(order.id(), "done");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    for (int day = 0; day < 3; day++) {
      awaitStatus(run, RunStatus.WAITING);
      int waits = day + 1;
      eventually(() -> types(run).stream().filter("wait"::equals).count() == waits);
      moveAndWake(Duration.ofDays(1), run);
    }

    assertThat(run.await().key()).isEqualTo("done");
  }

  @Test
  void code_that_makes_an_effect_of_a_recorded_wait_is_refused_and_can_be_mended() {
    var broken = new AtomicBoolean();
    var flow =
        register(
            orders("changed")
                .body(
                    (run, order) -> {
                      if (broken.get()) {
                        run.effect(
                            "settle",
                            create(order).keyed(),
                            key -> {
                              world.apply(key);
                            });
                      } else {
                        run.sleep("settle", Duration.ofDays(1));
                      }
                      return new Receipt(order.id(), "ok");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);
    broken.set(true);
    moveAndWake(Duration.ofDays(1), run);
    fails(
        run,
        "journal-mismatch",
        "its journal holds 'settle' as a wait, but flow 'changed' release 1 now makes it an"
            + " effect");

    broken.set(false);
    hapax.retry(run.id(), "ada");

    assertThat(hapax.handle(run.id(), Receipt.class).await().key()).isEqualTo("ok");
    assertThat(world.count()).isZero();
  }

  @Test
  void an_effect_in_flight_that_the_code_no_longer_knows_goes_to_review() {
    var forgetful = new AtomicBoolean();
    var flow =
        register(
            orders("forgetful")
                .body(
                    (run, order) -> {
                      if (!forgetful.get()) {
                        run.effect(
                            "charge", create(order).keyed(), world::applyAndHang, String.class);
                      }
                      return new Receipt(order.id(), "ok");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> world.count() == 1);
    forgetful.set(true);

    crash(flow);
    awaitStatus(run, RunStatus.REVIEW);
    assertThat(effect(EffectState.REVIEW).evidence()).contains("ended without it");
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened(null, "it is there", "ada"));
    awaitStatus(run, RunStatus.FAILED); // the code still does not know it
    hapax.retry(run.id(), "ada");

    assertThat(hapax.handle(run.id(), Receipt.class).await().key()).isEqualTo("ok");
    assertThat(entry(run, "left-behind").step()).isEqualTo("charge");
  }

  @Test
  void an_open_effect_whose_key_the_code_has_changed_goes_to_review() {
    var key = new AtomicReference<>("one");
    var flow =
        register(charging("fickle", _ -> Effect.create(key.get()).keyed(), world::applyAndHang));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> world.count() == 1);
    key.set("two");

    crash(flow);

    awaitStatus(run, RunStatus.REVIEW);
    assertThat(effect(EffectState.REVIEW).evidence())
        .contains("'forgetful/charge' 'one'".replace("forgetful", "fickle"))
        .contains("'two'");
    assertThat(world.count()).isEqualTo(1);
  }

  static final class Loop {
    public Loop getSelf() {
      return this;
    }
  }

  @Test
  void a_result_that_cannot_be_serialised_puts_the_effect_in_review_because_it_happened() {
    var flow =
        register(
            orders("loop")
                .body(
                    (run, order) -> {
                      run.effect(
                          "charge",
                          create(order).keyed(),
                          key -> {
                            world.apply(key);
                            return new Loop();
                          },
                          Object.class);
                      return new Receipt(order.id(), "ok");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThatThrownBy(run::await).isInstanceOf(RunInReview.class);
    assertThat(effect(EffectState.REVIEW).evidence())
        .contains("the call returned, but its result cannot be stored");
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void a_step_whose_result_cannot_be_serialised_or_is_too_large_fails() {
    var loop =
        register(
            orders("loop")
                .body(
                    (run, order) -> {
                      run.step("s", Loop::new, Object.class);
                      return new Receipt("", "");
                    }));
    var large =
        register(
            orders("large")
                .body(
                    (run, order) -> {
                      run.step("s", () -> "x".repeat(64 << 20), String.class);
                      return new Receipt("", "");
                    }));

    fails(hapax.start(loop, order("A")), "not-serializable", "cannot be written as JSON");
    fails(hapax.start(large, order("A")), "value-too-large", "too large");
  }

  @Test
  void oversized_and_unstorable_input_is_refused_and_leaves_the_key_free() {
    var flow =
        register(
            Flow.of("text", String.class, String.class)
                .key(text -> text.substring(0, 1))
                .body((_, text) -> text));

    assertThatThrownBy(() -> hapax.start(flow, "x".repeat(2_000_000)))
        .isInstanceOf(RunAdmission.InvalidInput.class)
        .hasMessageContaining("at most");
    assertThatThrownBy(() -> hapax.start(flow, "x\uD800"))
        .isInstanceOf(RunAdmission.InvalidInput.class)
        .hasMessageContaining("U+D800");
    assertThat(hapax.start(flow, "x\u0000 is fine in JSON").await())
        .isEqualTo("x\u0000 is fine in JSON");
  }

  @Test
  void bad_keys_are_refused_with_words() {
    var flow =
        register(
            Flow.of("keyed", String.class, String.class).key(text -> text).body((_, text) -> text));

    assertThatThrownBy(() -> hapax.start(flow, "")).hasMessageContaining("empty");
    assertThatThrownBy(() -> hapax.start(flow, "k".repeat(1025)))
        .hasMessageContaining("at most 1024 bytes");
    assertThatThrownBy(() -> hapax.start(flow, "a\u0000b")).hasMessageContaining("U+0000");
    assertThatThrownBy(() -> Flow.of("bad name", String.class, String.class))
        .hasMessageContaining("'bad name'");
    assertThatThrownBy(() -> Effect.update("k").upsert()).hasMessageContaining(".request(value)");
  }

  @Test
  void a_context_that_leaks_to_another_thread_is_refused_there() {
    var seen = new AtomicReference<Throwable>();
    var flow =
        register(
            orders("leaky")
                .body(
                    (run, order) -> {
                      Thread thread =
                          Thread.startVirtualThread(
                              () -> {
                                try {
                                  run.step("elsewhere", () -> 1, Integer.class);
                                } catch (IllegalStateException e) {
                                  seen.set(e);
                                }
                              });
                      thread.join();
                      return new Receipt(order.id(), "ok");
                    }));

    assertThat(hapax.start(flow, order("A")).await().key()).isEqualTo("ok");
    assertThat(seen.get()).hasMessageContaining("another thread");
  }

  @Test
  void a_body_that_throws_an_error_fails_its_run_only() {
    var flow =
        register(
            orders("error")
                .body(
                    (run, order) -> {
                      if (order.id().equals("bad")) {
                        throw new StackOverflowError("made up");
                      }
                      return new Receipt(order.id(), "ok");
                    }));

    fails(hapax.start(flow, order("bad")), "error", "StackOverflowError");
    assertThat(hapax.start(flow, order("good")).await().key()).isEqualTo("ok");
  }

  @Test
  void a_run_whose_renamed_step_meets_its_own_open_effect_does_not_wait_for_itself() {
    var before = orders("renamed").body((run, order) -> charge(run, "charge", order));
    RunHandle<Receipt> run = hapax.start(register(before), order("A"));
    eventually(() -> world.count() == 1);

    crash(orders("renamed").body((context, order) -> charge(context, "charge-card", order)));

    moveUntil(
        Duration.ofMillis(10),
        Duration.ofMinutes(2),
        () -> hapax.run(run.id()).status() == RunStatus.REVIEW);
  }

  private Receipt charge(RunContext run, String step, Order order) {
    var effect = create(order).keyed().name("charge");
    return new Receipt(order.id(), run.effect(step, effect, world::applyAndHang, String.class));
  }
}
