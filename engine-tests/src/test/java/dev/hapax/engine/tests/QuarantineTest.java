package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A run that ends processes is kept out of memory, and a run that does not is not. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class QuarantineTest extends PoisonTest {
  @Test
  void a_run_that_was_alone_at_two_ends_in_a_row_is_in_review_with_the_evidence() {
    Flow<Order, Receipt> flow = deadly();
    RunHandle<Receipt> run = quarantined(flow);

    Run now = stored(run);
    assertThat(now.isQuarantined()).isTrue();
    assertThat(Objects.requireNonNull(now.error()).code()).isEqualTo("quarantined");
    assertThat(told(run, "quarantined"))
        .singleElement()
        .satisfies(entry -> assertThat(entry.evidence()).contains("2 processes in a row"));
    assertThat(entered.availablePermits()).as("it is not loaded").isZero();
    assertThatThrownBy(() -> hapax.handle(run.id(), Receipt.class).await(SECOND))
        .isInstanceOf(RunInReview.class)
        .hasMessageContaining("quarantined");
    kill(flow);
    time.move(Duration.ofHours(1));
    assertThat(stored(run).isQuarantined()).as("after a restart too").isTrue();
    assertThat(hapax.start(flow, order("A-1")).isDuplicate()).isTrue();
  }

  @Test
  void a_process_that_ends_without_the_run_acquits_it() {
    Flow<Order, Receipt> flow = deadly();
    hapax.register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    killInside(flow);
    killInside(flow);
    eventually(() -> noted().contains("\"alone\":2,\"taken\":false"));
    kill(flow); // it was held back, so it is not what ends the processes
    isHarmless.set(true);

    moveUntil(() -> stored(run).status() == RunStatus.SUCCEEDED);

    assertThat(told(run, "quarantined")).isEmpty();
  }

  @Test
  void a_run_that_gets_further_between_two_ends_is_innocent() {
    var isSecond = new AtomicBoolean();
    Flow<Order, Receipt> flow =
        orders("slow")
            .body(
                (run, order) -> {
                  run.effect(
                      "one",
                      Effect.create(order.id()).keyed(),
                      _ -> isSecond.get() ? order.id() : work(order),
                      String.class);
                  return new Receipt(
                      order.id(),
                      run.effect(
                          "two",
                          Effect.create(order.id()).keyed(),
                          _ -> work(order),
                          String.class));
                });
    hapax.register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    isSecond.set(false);
    awaitInside();
    isSecond.set(true);
    kill(flow);
    killInside(flow);
    awaitInside();
    isHarmless.set(true);
    released.release(10);

    moveUntil(() -> stored(run).status() == RunStatus.SUCCEEDED);

    assertThat(told(run, "quarantined")).isEmpty();
  }

  @Test
  void a_run_that_has_got_further_is_innocent_though_the_process_ends_at_that_moment() {
    var isSecond = new AtomicBoolean();
    var mayGoOn = new Semaphore(0);
    Flow<Order, Receipt> flow =
        orders("slow")
            .body(
                (run, order) -> {
                  run.effect(
                      "one",
                      Effect.create(order.id()).keyed(),
                      _ -> {
                        if (!isSecond.get()) {
                          return work(order);
                        }
                        entered.release();
                        mayGoOn.acquireUninterruptibly();
                        return order.id();
                      },
                      String.class);
                  return new Receipt(
                      order.id(),
                      run.effect(
                          "two",
                          Effect.create(order.id()).keyed(),
                          _ -> work(order),
                          String.class));
                });
    hapax.register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitInside();
    isSecond.set(true);
    kill(flow);
    awaitInside();
    // Its last write is the one that says that it got further: nothing lands behind that.
    MortalStore dying = process;
    var hasWritten = new AtomicBoolean();
    dying.beforeCommit(
        batch -> {
          if (hasWritten.get()) {
            dying.die();
          }
          hasWritten.compareAndSet(false, MortalStore.writes(batch, "\"two\""));
        });
    mayGoOn.release();
    killInside(flow);
    awaitInside();
    isHarmless.set(true);
    released.release(10);

    moveUntil(() -> stored(run).status() == RunStatus.SUCCEEDED);

    assertThat(told(run, "quarantined")).isEmpty();
  }

  @Test
  void a_process_must_live_longer_without_it_than_the_others_lived_with_it() {
    Flow<Order, Receipt> flow = deadly();
    hapax.register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    killInside(flow);
    awaitInside();
    moveUntil(Duration.ofMillis(500), () -> noted().contains("\"lived\":16"));
    kill(flow); // as a person does who kills the server every half a minute
    eventually(() -> noted().contains("\"longest\":32"));
    moveSteps(20, SECOND);

    assertThat(stored(run).isQuarantined()).isFalse();
    moveUntil(() -> stored(run).isQuarantined());
  }

  @Test
  void a_resumed_run_goes_on_and_one_that_still_ends_processes_is_quarantined_again() {
    Flow<Order, Receipt> flow = deadly();
    RunHandle<Receipt> run = quarantined(flow);

    hapax.resume(run.id(), "ann", "more memory");
    killInside(flow);
    killInside(flow);
    moveUntil(() -> stored(run).isQuarantined());
    assertThat(told(run, "quarantined")).hasSize(2);
    isHarmless.set(true);
    hapax.resume(run.id(), "ann", null);

    assertThat(hapax.handle(run.id(), Receipt.class).await()).isNotNull();
    assertThat(told(run, "resumed")).hasSize(2);
    assertThatThrownBy(() -> hapax.resume(run.id(), "ann", null))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("not quarantined");
  }

  @Test
  void a_suspect_whose_recovery_throws_an_error_is_quarantined_at_once() {
    Flow<Order, Receipt> flow = deadly();
    hapax.register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitInside();
    throwsError.set(true);
    kill(flow);

    eventually(() -> stored(run).isQuarantined());

    assertThat(told(run, "quarantined").getFirst().evidence()).contains("StackOverflowError");
    throwsError.set(false);
    isHarmless.set(true);
    hapax.resume(run.id(), "ann", "the stack is larger now");
    assertThat(hapax.handle(run.id(), Receipt.class).await()).isNotNull();
  }

  @Test
  void among_others_it_is_found_and_the_others_go_on() {
    Flow<Order, Receipt> flow = deadly();
    Flow<Order, Receipt> innocent =
        orders("innocent")
            .body(
                (run, order) -> {
                  run.sleep("nap", SECOND);
                  return new Receipt(order.id(), hold());
                });
    hapax.register(flow);
    hapax.register(innocent);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    List<RunHandle<Receipt>> others =
        List.of("B-1", "B-2", "B-3").stream()
            .map(id -> hapax.start(innocent, new Order(id, 1)))
            .toList();
    int ends = 0;
    awaitInside();
    while (!noted().contains("\"alone\":2")) {
      isQuick.set(ends++ >= 1);
      kill(flow, innocent);
      eventually(() -> noted().contains("\"alone\":2") || entered.tryAcquire());
    }
    moveUntil(() -> stored(run).isQuarantined());

    assertThat(ends).isEqualTo(4);
    others.forEach(other -> moveUntil(() -> stored(other).status() == RunStatus.SUCCEEDED));
  }

  private final AtomicBoolean isQuick = new AtomicBoolean();

  private String hold() {
    if (!isQuick.get()) {
      released.acquireUninterruptibly();
    }
    return "held";
  }

  @Test
  void a_process_that_closes_makes_no_suspects() {
    Flow<Order, Receipt> flow = deadly();
    hapax.register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    for (int i = 0; i < 4; i++) {
      awaitInside();
      hapax.close();
      kill(flow);
    }
    isHarmless.set(true);
    released.release(10);

    moveUntil(() -> stored(run).status() == RunStatus.SUCCEEDED);

    assertThat(told(run, "quarantined")).isEmpty();
  }
}
