package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.time.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A run of a node whose lease has ended goes on at another, and what was sent is sent once. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class LeaseTest extends TwoNodesTest {
  @Test
  void a_run_of_a_node_that_is_cut_off_goes_on_at_another_and_is_sent_once() throws Exception {
    var sent = new AtomicInteger();
    var entered = new CountDownLatch(1);
    Signal released = time.signal();
    Flow<Order, Receipt> flow =
        orders("cut")
            .body(
                (run, order) -> {
                  run.step(
                      "think",
                      () -> {
                        if (entered.getCount() > 0) {
                          entered.countDown();
                          released.awaitInterruptibly(null);
                        }
                        return "thought";
                      },
                      String.class);
                  String key =
                      run.effect(
                          "charge",
                          Effect.create(order.id()).unguarded(),
                          _ -> "charge-" + sent.incrementAndGet(),
                          String.class);
                  return new Receipt(order.id(), key);
                });
    registerAtBoth(flow);
    RunHandle<Receipt> run = start(one, flow);
    entered.await();

    one.isCut = true;
    onlyBeats(two);
    eventually(() -> two.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    one.isCut = false;
    released.raise();

    assertThat(endOf(run))
        .failsWithin(SECOND)
        .withThrowableThat()
        .withCauseInstanceOf(StoreBroken.class);
    assertThat(sent).hasValue(1);
    assertThatThrownBy(() -> one.hapax.start(flow, order("A-2"))).isInstanceOf(StoreBroken.class);
  }

  @Test
  void a_node_that_is_closed_keeps_its_lease_until_what_it_has_sent_has_returned()
      throws Exception {
    var entered = new CountDownLatch(1);
    Signal released = time.signal();
    var sent = new AtomicInteger();
    Flow<Order, Receipt> flow =
        charging(
            "closing",
            Effect.create("A").lookup(_ -> Optional.empty(), SECOND).timeout(Duration.ofSeconds(5)),
            _ -> {
              if (sent.incrementAndGet() == 1) {
                entered.countDown();
                released.await();
              }
              return "sent";
            });
    registerAtBoth(flow);
    RunHandle<Receipt> run = one.hapax.start(flow, order("A-1"));
    String id = run.id();
    entered.await();

    one.hapax.close();
    for (int i = 0; i < 12; i++) {
      database.updateAndGet(now -> now.plus(LEASE.dividedBy(4)));
      two.beatOnce();
      one.beatOnce(); // it still does
    }
    int before = sent.get();
    released.raise();
    moveUntil(SECOND, () -> two.hapax.run(id).status() == RunStatus.SUCCEEDED);

    assertThat(before).isEqualTo(1);
    assertThat(two.hapax.history(id)).anyMatch(line -> line.type().equals("doubt"));
  }

  @Test
  void what_was_intended_is_not_sent_by_a_node_whose_lease_has_ended() throws Exception {
    var before = new CountDownLatch(1);
    Signal paused = time.signal();
    var sentBy = new AtomicReference<>("");
    Interceptor pause =
        (sending, sender) -> {
          before.countDown();
          paused.awaitInterruptibly(null);
          return sender.send();
        };
    var three = new Node(HapaxOptions.DEFAULT.interceptor(pause));
    Flow<Order, Receipt> flow = charged(sentBy, "three");
    three.hapax.register(flow);
    two.hapax.register(charged(sentBy, "two"));
    RunHandle<Receipt> run = three.hapax.start(flow, order("A-1"));
    String id = run.id();
    before.await();

    three.isCut = true;
    onlyBeats(two);
    eventually(() -> two.hapax.run(id).status() == RunStatus.SUCCEEDED);
    assertThat(sentBy).hasValue(",two");
    paused.raise();
    three.isCut = false;

    assertThat(endOf(run))
        .failsWithin(SECOND)
        .withThrowableThat()
        .withCauseInstanceOf(StoreBroken.class);
    assertThat(sentBy).hasValue(",two");
    three.hapax.close();
  }

  private static Flow<Order, Receipt> charged(AtomicReference<String> sentBy, String name) {
    return orders("charged")
        .body(
            (run, order) -> {
              run.effect(
                  "charge",
                  create(order).keyed(),
                  _ -> sentBy.accumulateAndGet(name, (all, me) -> all + "," + me),
                  String.class);
              return new Receipt(order.id(), "");
            });
  }

  @Test
  void a_lease_that_was_not_renewed_in_time_holds_back_what_is_sent_until_it_is() throws Exception {
    var sent = new AtomicInteger();
    Flow<Order, Receipt> flow =
        charging("late", Effect.create("A-1").keyed(), _ -> "charge-" + sent.incrementAndGet());
    registerAtBoth(flow);
    two.isCut = true; // it will not heartbeat
    time.jumpTo(time.now().plus(LEASE)); // as after a suspension: the monotonic clock did not move

    RunHandle<Receipt> run = one.hapax.start(flow, order("A-1"));

    assertThat(run.await().key()).isEqualTo("charge-1");
    assertThat(one.heartbeats.get()).isGreaterThan(1);
  }

  @Test
  void an_attempt_that_was_given_up_before_it_was_sent_is_not_sent_later() throws Exception {
    var sent = new AtomicInteger();
    var attempts = new AtomicInteger();
    Signal held = time.signal();
    var first = new CompletableFuture<String>();
    Interceptor holdsTheFirst =
        (sending, sender) -> {
          if (attempts.incrementAndGet() > 1) {
            return sender.send();
          }
          held.await();
          try {
            first.complete(sender.send());
            return first.join();
          } catch (NotApplied e) {
            first.completeExceptionally(e);
            throw e;
          }
        };
    var three = new Node(HapaxOptions.DEFAULT.interceptor(holdsTheFirst));
    Flow<Order, Receipt> flow =
        charging("held", Effect.create("A-1").unguarded(), _ -> "charge-" + sent.incrementAndGet());
    three.hapax.register(flow);

    String id = three.hapax.start(flow, order("A-1")).id();
    moveUntil(SECOND, () -> three.hapax.run(id).status() == RunStatus.SUCCEEDED);
    held.raise();

    assertThat(first)
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .withCauseInstanceOf(NotApplied.class);
    assertThat(sent).hasValue(1);
    three.hapax.close();
  }
}
