package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The guard that asks the destination: what a lookup proves, when, and what it does not prove. */
class LookupTest extends EngineTest {
  private final World world = new World();
  private final AtomicInteger calls = new AtomicInteger();

  private Flow<Order, Receipt> flow(Effect<?> effect, RunContext.Sender<String> sender) {
    return register(charging("charge-order", effect, sender));
  }

  @Test
  void lookup_adopts_what_it_finds() {
    var flow =
        flow(
            Effect.create("A")
                .lookup(_ -> world.count() == 0 ? Optional.empty() : Optional.of("found it")),
            world::loseFirstAnswer);

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThat(run.await().key()).isEqualTo("found it");
    assertThat(world.count()).isEqualTo(1);
    assertThat(entry(run, "done").decision()).isEqualTo("found by lookup");
  }

  @Test
  void lookup_finds_what_another_system_made_before_it_is_sent() {
    var flow = flow(Effect.create("A").lookup(_ -> Optional.of("made by hand")), world::apply);

    assertThat(hapax.start(flow, order("A")).await().key()).isEqualTo("made by hand");
    assertThat(world.count()).isZero();
  }

  @Test
  void not_found_counts_only_after_timeout_and_settle_have_passed_since_the_attempt_was_over() {
    var visible = new AtomicInteger();
    var effect =
        Effect.create("A")
            .lookup(
                _ -> visible.get() == 0 ? Optional.empty() : Optional.of("late"),
                Duration.ofSeconds(10))
            .timeout(Duration.ofSeconds(30));
    var flow = flow(effect, world::loseFirstAnswer);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    time.move(Duration.ofSeconds(39));
    visible.set(1);
    moveAndWake(Duration.ofSeconds(2), run);

    assertThat(run.await().key()).isEqualTo("late");
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void a_proof_of_absence_sends_again() {
    var effect =
        Effect.create("A")
            .lookup(_ -> Optional.empty(), Duration.ofSeconds(10))
            .timeout(Duration.ofSeconds(30));
    var flow =
        flow(
            effect,
            key -> {
              if (calls.incrementAndGet() == 1) {
                throw new IOException("lost before it arrived");
              }
              return world.apply(key);
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    moveAndWake(Duration.ofSeconds(41), run);

    assertThat(run.await().order()).isEqualTo("A");
    assertThat(world.count()).isEqualTo(1);
    assertThat(types(run)).containsSubsequence("doubt", "absent", "intent", "done");
  }

  @Test
  void after_a_crash_the_settle_time_counts_from_the_recovery() {
    var effect =
        Effect.create("A")
            .lookup(_ -> Optional.empty(), Duration.ofSeconds(10))
            .timeout(Duration.ofSeconds(30));
    var flow = flow(effect, world::applyAndHang);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> world.count() == 1);
    time.move(Duration.ofSeconds(20));
    crash(flow);
    awaitStatus(run, RunStatus.WAITING);

    time.move(Duration.ofSeconds(25));
    eventually(() -> hapax.run(run.id()).status() == RunStatus.WAITING);
    assertThat(world.count()).isEqualTo(1);

    moveAndAwait(Duration.ofSeconds(16), () -> world.count() == 2);
  }

  @Test
  void a_lookup_that_could_not_be_made_is_no_proof_of_absence() {
    var lookups = new AtomicInteger();
    Effect.LookupBy refused =
        _ -> {
          if (world.count() == 0) {
            return Optional.empty();
          }
          lookups.incrementAndGet();
          throw new NotApplied("lookup: connection refused");
        };
    var flow =
        flow(
            Effect.create("A").lookup(refused),
            key -> {
              world.apply(key);
              throw new IOException("reset");
            });
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    moveUntil(Duration.ofSeconds(2), () -> lookups.get() == 5 || world.count() > 1);
    moveSteps(60, Duration.ofSeconds(2));

    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void what_could_not_be_looked_up_before_sending_is_looked_up_before_the_next_attempt() {
    Effect.LookupBy flaky =
        _ -> {
          if (calls.incrementAndGet() == 1) {
            throw new IOException("503");
          }
          return Optional.of("there already");
        };
    var flow = flow(Effect.create("A").lookup(flaky), world::apply);
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.WAITING);

    moveAndWake(Duration.ofMinutes(1), run);

    assertThat(run.await().key()).isEqualTo("there already");
    assertThat(world.count()).isZero();
  }
}
