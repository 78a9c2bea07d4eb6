package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A run whose release is not registered says so. */
final class MissingCodeTest extends EngineTest {
  private static final Duration PAUSE = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Flow<Order, Receipt> flow = sleeping(PAUSE);

  @Test
  void a_run_whose_release_is_not_registered_says_so_once_and_goes_on_when_it_is() {
    RunHandle<Receipt> run = waiting();

    crash();
    assertThat(hapax.isCodeMissing(hapax.run(run.id()))).isTrue();
    moveAndAwait(PAUSE, () -> timesTold(run) == 1);
    assertThat(entry(run, "code-missing").decision())
        .isEqualTo("waits for the code of flow 'sleeper' release 1, which is not registered");
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.WAITING);

    hapax.register(flow);
    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(hapax.isCodeMissing(hapax.run(run.id()))).isFalse();
    assertThat(timesTold(run)).isOne();
  }

  @Test
  void neither_a_wake_up_nor_a_restart_says_it_again() {
    RunHandle<Receipt> run = waiting();
    crash();
    moveAndAwait(PAUSE, () -> timesTold(run) == 1);

    hapax.cancel(run.id(), "ann", "too late"); // wakes it
    moveSteps(20, SECOND);
    crash();
    moveSteps(20, SECOND);
    crash();
    moveSteps(20, SECOND);

    assertThat(timesTold(run)).isOne();
    hapax.register(flow);
    awaitStatus(run, RunStatus.CANCELED);
  }

  @Test
  void flows_that_are_registered_after_the_engine_was_opened_are_not_missed() {
    RunHandle<Receipt> run = waiting();

    time.move(PAUSE);
    crash(); // the run is due at once, and the flow is registered a moment later
    moveSteps(40, Duration.ofMillis(100));
    hapax.register(flow);

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(types(run)).doesNotContain("code-missing");
  }

  @Test
  void a_run_that_was_in_memory_when_its_process_died_says_so_too() {
    var sending = new CountDownLatch(1);
    Flow<Order, Receipt> busy =
        charging(
            "busy",
            Effect.create("A-1").keyed(),
            _ -> {
              sending.countDown();
              awaitUninterruptibly(new CountDownLatch(1));
              return "never";
            });
    hapax.register(busy);
    RunHandle<Receipt> run = hapax.start(busy, order("A-1"));
    awaitUninterruptibly(sending);

    crash();

    moveUntil(SECOND, () -> timesTold(run) == 1);
    assertThat(hapax.isCodeMissing(hapax.run(run.id()))).isTrue();
    hapax.register(charging("busy", Effect.create("A-1").keyed(), key -> key));
    awaitStatus(run, RunStatus.SUCCEEDED);
  }

  private RunHandle<Receipt> waiting() {
    hapax.register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitReleased(run);
    assertThat(hapax.isCodeMissing(hapax.run(run.id()))).isFalse();
    return run;
  }

  private int timesTold(RunHandle<?> run) {
    return Collections.frequency(types(run), "code-missing");
  }
}
