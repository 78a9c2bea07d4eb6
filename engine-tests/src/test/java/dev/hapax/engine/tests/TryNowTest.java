package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Read;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A person asks for the next attempts of a run now. The clock does not move unless a test says. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class TryNowTest extends DestinationCallsTest {
  private static final RetryPolicy HOURLY =
      retries(4).delay(Duration.ofHours(1)).factor(1).within(Duration.ofDays(30));

  private final World world = new World();
  private final AtomicInteger calls = new AtomicInteger();

  private String applyAtCall(int number, String key) throws NotApplied {
    if (calls.incrementAndGet() < number) {
      throw new NotApplied("503", Duration.ofHours(5), null);
    }
    return world.apply(key);
  }

  private RunHandle<Receipt> backingOff(Flow<Order, Receipt> flow) {
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitPausing(run, 1);
    return run;
  }

  private void awaitPausing(RunHandle<?> run, int attempts) {
    eventually(() -> calls.get() == attempts && hapax.run(run.id()).owner() == null);
  }

  private List<String> askedBy(RunHandle<?> run) {
    return hapax.history(run.id()).stream()
        .filter(line -> line.type().equals("tried-now"))
        .map(HistoryEntry::decision)
        .toList();
  }

  @Test
  void the_next_attempt_is_made_at_once_and_the_history_says_who_asked() {
    var flow =
        register(
            charging("busy", Effect.create("A").keyed().retry(HOURLY), key -> applyAtCall(2, key)));
    RunHandle<Receipt> run = backingOff(flow);

    hapax.tryNow(run.id(), "ann");

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(world.count()).isEqualTo(1);
    assertThat(askedBy(run)).containsExactly("by ann: the next attempt is due now");
    assertThat(entry(run, "done").attempt()).isEqualTo(2);
  }

  @Test
  void it_counts_as_an_attempt_and_the_pause_after_it_is_kept() {
    var flow =
        register(
            charging("busy", Effect.create("A").keyed().retry(HOURLY), key -> applyAtCall(9, key)));
    RunHandle<Receipt> run = backingOff(flow);

    for (int attempts = 2; attempts <= 3; attempts++) {
      hapax.tryNow(run.id(), "ann");
      awaitPausing(run, attempts);
      assertThat(hapax.run(run.id()).dueAt()).isAfter(time.now());
    }
    hapax.tryNow(run.id(), "ann");

    assertFails(run, "not-applied").hasMessageContaining("4 attempts");
    assertThat(calls).hasValue(4);
  }

  @Test
  void it_holds_for_what_pauses_now_and_not_for_what_pauses_later() {
    var flow =
        register(
            charging("busy", Effect.create("A").keyed().retry(HOURLY), key -> applyAtCall(9, key)));
    RunHandle<Receipt> run = backingOff(flow);
    hapax.tryNow(run.id(), "ann");
    awaitPausing(run, 2);

    crash(flow); // the next process reads the wish again, before the second pause
    moveSteps(20, Duration.ofMinutes(1));

    assertThat(calls).hasValue(2);
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.WAITING);
  }

  @Test
  void a_lost_answer_under_a_key_is_asked_for_again_at_once_with_the_same_key() {
    var flow =
        register(
            charging(
                "lost",
                Effect.create("A").keyed(Duration.ofDays(90)).retry(HOURLY),
                key -> {
                  calls.incrementAndGet();
                  return world.loseFirstAnswer(key);
                }));
    RunHandle<Receipt> run = backingOff(flow);

    hapax.tryNow(run.id(), "ann");

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(world.arrivals().stream().distinct()).hasSize(1);
  }

  @Test
  void the_settle_time_of_a_lookup_is_not_shortened() {
    Effect<?> effect =
        Effect.create("A")
            .lookup(
                _ -> {
                  throw new IOException("the lookup is down, too");
                },
                Duration.ofMinutes(10))
            .timeout(Duration.ofMinutes(1))
            .retry(HOURLY);
    var flow = register(charging("looked-up", effect, world::apply));
    RunHandle<Receipt> before = hapax.start(flow, order("A"));
    eventually(() -> hapax.run(before.id()).dueAt() != null);

    var found = new AtomicInteger();
    Effect<?> unsure =
        Effect.create("B")
            .lookup(
                _ -> found.get() == 0 ? Optional.empty() : Optional.of("found"),
                Duration.ofMinutes(10))
            .timeout(Duration.ofMinutes(1))
            .retry(HOURLY);
    var doubted = register(charging("doubted", unsure, world::loseFirstAnswer));
    RunHandle<Receipt> run = hapax.start(doubted, order("B"));
    awaitStatus(run, RunStatus.WAITING);

    assertThatThrownBy(() -> hapax.tryNow(run.id(), "ann"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("no step of run " + run.id() + " waits for its next attempt");
    assertThat(world.count()).isEqualTo(1);
    hapax.tryNow(before.id(), "ann"); // a lookup that failed is a read, and may be asked again
    moveSteps(5, Duration.ofSeconds(10));
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void the_closed_breaker_of_a_destination_still_holds() {
    limit(psp().breaker(3, Duration.ofHours(5)));
    RunHandle<Receipt> run = trip(register(paying(this::answer)));
    assertThat(arrived()).hasSize(3);

    hapax.tryNow(run.id(), "ann");

    eventually(() -> types(run).contains("turn-awaited"));
    assertThat(arrived()).hasSize(3);
    assertThat(entry(run, "turn-awaited").decision()).contains("its circuit breaker is open");
  }

  @Test
  void items_of_loops_and_reads_are_tried_now_too() {
    var reads = new AtomicInteger();
    Flow<Order, Receipt> flow =
        register(
            orders("ship")
                .body(
                    (run, order) -> {
                      run.read(
                          "rate",
                          Read.retried(HOURLY),
                          () -> {
                            if (reads.incrementAndGet() == 1) {
                              throw new IOException("away");
                            }
                            return "rate";
                          },
                          String.class);
                      run.forEach(
                          "parcels",
                          Each.of(List.of("p1", "p2", "p3"), one -> one),
                          (item, parcel) ->
                              item.effect(
                                  "ship",
                                  Effect.create(parcel).keyed().retry(HOURLY),
                                  key -> applyAtCall(4, key)));
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> reads.get() == 1 && hapax.run(run.id()).owner() == null);

    hapax.tryNow(run.id(), "ann");
    awaitPausing(run, 3); // each item once
    hapax.tryNow(run.id(), "bob");

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(world.count()).isEqualTo(3);
    assertThat(askedBy(run)).hasSize(2);
  }

  @Test
  void a_run_that_is_not_retrying_says_what_to_do_instead() {
    Flow<Order, Receipt> flow = register(sleeping(Duration.ofDays(1)));
    RunHandle<Receipt> asleep = hapax.start(flow, order("A"));
    awaitStatus(asleep, RunStatus.WAITING);
    RunHandle<Receipt> inReview = hapax.start(register(mailer(Duration.ofDays(9))), order("B"));
    awaitStatus(inReview, RunStatus.REVIEW);
    hapax.cancel(asleep.id(), "ann", null);
    RunHandle<Receipt> other = hapax.start(flow, order("C"));
    awaitStatus(other, RunStatus.WAITING);

    assertThatThrownBy(() -> hapax.tryNow(other.id(), "ann"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("the run is waiting");
    assertThatThrownBy(() -> hapax.tryNow(inReview.id(), "ann"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("Settle its effect in review");
    awaitStatus(asleep, RunStatus.CANCELED);
    assertThatThrownBy(() -> hapax.tryNow(asleep.id(), "ann"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("is canceled");
  }
}
