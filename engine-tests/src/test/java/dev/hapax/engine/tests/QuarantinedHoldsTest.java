package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Hold;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A run that is kept out of memory gives back nothing that it holds. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class QuarantinedHoldsTest extends PoisonTest {
  private static final Duration LONG = Duration.ofHours(1);

  @Test
  void its_slot_is_kept_until_it_has_gone_on() {
    Flow<Order, Receipt> flow = oneAtATime();
    RunHandle<Receipt> first = quarantined(flow);
    RunHandle<Receipt> second = hapax.start(flow, order("A-2"));

    assertQueuedBehind(second, first);
    kill(flow); // the next process knows it, too
    assertQueuedBehind(second, first);
    isHarmless.set(true);
    hapax.resume(first.id(), "ann", "more memory");

    moveUntil(() -> stored(second).status() == RunStatus.SUCCEEDED);
    assertThat(stored(first).status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  void its_slot_is_kept_until_it_is_canceled() {
    Flow<Order, Receipt> flow = oneAtATime();
    RunHandle<Receipt> first = quarantined(flow);
    RunHandle<Receipt> second = hapax.start(flow, order("A-2"));
    assertQueuedBehind(second, first);
    isHarmless.set(true);

    hapax.cancel(first.id(), "ann", "not worth it");

    moveUntil(() -> stored(second).status() == RunStatus.SUCCEEDED);
    assertThat(stored(first).status()).isEqualTo(RunStatus.CANCELED);
  }

  private Flow<Order, Receipt> oneAtATime() {
    return orders("deadly")
        .concurrency(1)
        .body((run, order) -> new Receipt(order.id(), napAndWork(run, order)));
  }

  private String napAndWork(RunContext run, Order order) {
    run.sleep("nap", SECOND);
    return work(order);
  }

  private void assertQueuedBehind(RunHandle<Receipt> second, RunHandle<Receipt> first) {
    moveSteps(10, LONG);
    assertThat(stored(first).isQuarantined()).isTrue();
    assertThat(stored(second).status()).isEqualTo(RunStatus.QUEUED);
    assertThat(told(second, "queued").getFirst().decision()).contains(first.id());
  }

  @Test
  void its_lock_is_kept_with_its_fence_until_it_has_gone_on() {
    Flow<Order, Receipt> flow = locking();
    RunHandle<Receipt> first = quarantined(flow);
    Hold held = hapax.locks().getFirst();
    RunHandle<Receipt> second = hapax.start(flow, order("A-2"));

    assertWaitsFor(second, held);
    kill(flow);
    assertWaitsFor(second, held);
    isHarmless.set(true);
    hapax.resume(first.id(), "ann", "more memory");

    moveUntil(() -> stored(second).status() == RunStatus.SUCCEEDED);
    assertThat(stored(first).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(hapax.locks()).isEmpty();
  }

  @Test
  void its_lock_is_kept_until_it_is_canceled() {
    Flow<Order, Receipt> flow = locking();
    RunHandle<Receipt> first = quarantined(flow);
    RunHandle<Receipt> second = hapax.start(flow, order("A-2"));
    assertWaitsFor(second, hapax.locks().getFirst());
    isHarmless.set(true);

    hapax.cancel(first.id(), "ann", null);

    moveUntil(() -> stored(second).status() == RunStatus.SUCCEEDED);
    assertThat(stored(first).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(hapax.locks()).isEmpty();
  }

  private Flow<Order, Receipt> locking() {
    return orders("deadly")
        .body(
            (run, order) ->
                run.locked("hold", "stock", _ -> new Receipt(order.id(), napAndWork(run, order))));
  }

  private void assertWaitsFor(RunHandle<Receipt> second, Hold held) {
    eventually(() -> stored(second).status() == RunStatus.WAITING);
    moveSteps(10, LONG);
    assertThat(hapax.locks()).extracting(Hold::isHeld).containsExactly(true, false);
    assertThat(hapax.locks().getFirst()).isEqualTo(held);
    assertThat(stored(second).status()).isEqualTo(RunStatus.WAITING);
  }
}
