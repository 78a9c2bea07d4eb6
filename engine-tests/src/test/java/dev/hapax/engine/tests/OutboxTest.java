package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Courier;
import dev.hapax.Delivery;
import dev.hapax.DeliveryTerms;
import dev.hapax.MessageKeyReused;
import dev.hapax.OutboxFilter;
import dev.hapax.OutgoingMessage;
import dev.hapax.RunHandle;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Message;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.UnknownCommit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A message is stored once and delivered under one id, no matter what happens in between. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class OutboxTest extends EngineTest {
  private final ConcurrentLinkedQueue<OutgoingMessage> arrived = new ConcurrentLinkedQueue<>();
  private final Flow<Order, Receipt> paid =
      orders("paid")
          .body(
              (run, order) ->
                  new Receipt(
                      order.id(),
                      run.publish("tell", Message.to("shop").type("order.paid").data(order))));

  @Test
  void a_message_is_delivered_after_the_commit_that_published_it() {
    hapax.outbox().courier("shop", arrived::add);

    RunHandle<Receipt> run = hapax.start(register(paid), order("A-1"));
    String id = run.await().key();
    eventually(() -> arrived.size() == 1);

    OutgoingMessage message = arrived.element();
    assertThat(message.id()).isEqualTo(id).matches("[a-z2-7]{32}");
    assertThat(message.type()).isEqualTo("order.paid");
    assertThat(message.read(Order.class)).isEqualTo(order("A-1"));
    assertThat(entry(run, "published").key()).isEqualTo(id);
    assertThat(entry(run, "published").decision()).contains("for 'shop'", "delivered by run r-");
    eventually(() -> hapax.outbox().undelivered().isEmpty());
    assertThat(hapax.outbox().deadLetters()).isEmpty();
  }

  @Test
  void without_a_courier_it_waits_and_is_listed_also_after_a_crash() {
    hapax.start(register(paid), order("A-1")).await();
    crash(paid);

    Delivery waits = hapax.outbox().undelivered().getFirst();
    hapax.outbox().courier("shop", arrived::add);

    assertThat(waits.problem()).contains("no courier is registered for 'shop'");
    assertThat(waits.status()).isEqualTo(RunStatus.QUEUED);
    eventually(() -> arrived.size() == 1);
  }

  @Test
  void publishing_does_not_wait_for_the_delivery() {
    var open = new CountDownLatch(1);
    hapax.outbox().courier("shop", _ -> open.await());

    assertThat(hapax.start(register(paid), order("A-1")).await().order()).isEqualTo("A-1");

    assertThat(hapax.outbox().undelivered()).hasSize(1);
    open.countDown();
  }

  @Test
  void a_run_that_dies_before_its_commit_has_published_nothing() {
    process.beforeCommit(
        batch -> {
          if (MortalStore.writes(batch, "published")) {
            throw new StoreBroken("the process dies here", null);
          }
        });
    hapax.outbox().courier("shop", arrived::add);
    register(paid);
    assertThatThrownBy(() -> hapax.start(paid, order("A-1"))).isInstanceOf(StoreBroken.class);

    crash(paid);
    hapax.outbox().courier("shop", arrived::add);
    assertThat(arrived).isEmpty();
    hapax.start(paid, order("A-1")).await();

    eventually(() -> arrived.size() == 1);
  }

  @Test
  void a_commit_whose_outcome_is_unknown_publishes_once() {
    hapax.outbox().courier("shop", arrived::add);
    register(paid);
    process.failNextCommit(new UnknownCommit("no answer", new IOException("io")), true);

    startMovingTime(paid, order("A-1"));

    moveUntil(Duration.ofMillis(50), () -> arrived.size() == 1);
    eventually(() -> hapax.outbox().undelivered().isEmpty());
    assertThat(arrived).hasSize(1);
  }

  @Test
  void a_crash_while_it_is_delivered_sends_it_again_under_the_same_id() {
    Courier hangs =
        message -> {
          arrived.add(message);
          new CountDownLatch(1).await();
        };
    hapax.outbox().courier("shop", hangs);
    hapax.start(register(paid), order("A-1")).await();
    eventually(() -> arrived.size() == 1);

    crash(paid);
    hapax.outbox().courier("shop", arrived::add);

    moveUntil(Duration.ofSeconds(1), () -> arrived.size() == 2);
    assertThat(arrived.stream().map(OutgoingMessage::id).distinct()).hasSize(1);
  }

  @Test
  void a_crash_of_the_publisher_after_its_commit_publishes_no_second_one() {
    Flow<Order, Receipt> long_ =
        orders("long")
            .body(
                (run, order) -> {
                  String id = run.publish("tell", Message.to("shop").type("order.paid"));
                  run.sleep("pause", Duration.ofHours(1));
                  return new Receipt(order.id(), id);
                });
    hapax.outbox().courier("shop", arrived::add);
    RunHandle<Receipt> run = hapax.start(register(long_), order("A-1"));
    awaitReleased(run);

    crash(long_);
    hapax.outbox().courier("shop", arrived::add);
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);

    eventually(() -> !arrived.isEmpty());
    // A delivery that the crash cut off is made again, under the same id.
    assertThat(arrived.stream().map(OutgoingMessage::id).distinct()).hasSize(1);
    assertThat(types(run)).containsOnlyOnce("published");
  }

  @Test
  void retries_that_end_make_a_dead_letter_that_can_be_redelivered() {
    var calls = new AtomicInteger();
    Courier refused =
        message -> {
          if (calls.incrementAndGet() <= 2) {
            throw new NotApplied("connection refused");
          }
          arrived.add(message);
        };
    hapax.outbox().courier("shop", refused, DeliveryTerms.DEFAULT.retry(retries(2)));
    String id = hapax.start(register(paid), order("A-1")).await().key();
    moveUntil(Duration.ofSeconds(1), () -> !hapax.outbox().deadLetters().isEmpty());

    Delivery dead = hapax.outbox().deadLetters().getFirst();
    hapax.outbox().redeliver(dead, "ada");

    assertThat(dead.message().id()).isEqualTo(id);
    assertThat(dead.problem()).contains("connection refused");
    eventually(() -> arrived.size() == 1);
    assertThat(arrived.element().id()).isEqualTo(id);
    eventually(() -> hapax.outbox().deadLetters().isEmpty());
  }

  @Test
  void what_may_have_arrived_is_a_dead_letter_in_review() {
    var fails = new AtomicInteger(3);
    Courier resets =
        message -> {
          arrived.add(message);
          if (fails.getAndDecrement() > 0) {
            throw new IOException("connection reset");
          }
        };
    hapax.outbox().courier("shop", resets, DeliveryTerms.DEFAULT.retry(retries(3)));
    hapax.start(register(paid), order("A-1")).await();
    moveUntil(Duration.ofSeconds(1), () -> !hapax.outbox().deadLetters().isEmpty());

    Delivery dead = hapax.outbox().deadLetters().getFirst();
    assertThat(dead.status()).isEqualTo(RunStatus.REVIEW);
    assertThat(effect(EffectState.REVIEW).attempts()).isEqualTo(3);
    hapax.outbox().redeliver(dead, "ada");

    eventually(() -> hapax.outbox().deadLetters().isEmpty());
    eventually(() -> arrived.size() == 4);
    assertThat(arrived.stream().map(OutgoingMessage::id).distinct()).hasSize(1);
  }

  @Test
  void a_message_that_has_arrived_is_delivered_again_under_its_id_if_a_person_asks() {
    var open = new AtomicReference<>(new CountDownLatch(0));
    Courier slow =
        message -> {
          open.get().await();
          arrived.add(message);
        };
    hapax.outbox().courier("shop", slow);
    String id = hapax.start(register(paid), order("A-1")).await().key();
    eventually(() -> hapax.outbox().message(id).state().equals("delivered"));

    open.set(new CountDownLatch(1));
    Delivery again = hapax.outbox().redeliver(id, "ada");
    Delivery same = hapax.outbox().redeliver(id, "ben"); // it is under way
    open.get().countDown();

    assertThat(same.run()).isEqualTo(again.run()).isNotEqualTo(hapax.outbox().message(id).run());
    eventually(() -> hapax.outbox().message(again.run()).state().equals("delivered"));
    assertThat(arrived).hasSize(2).extracting(OutgoingMessage::id).containsOnly(id);
    Delivery third = hapax.outbox().redeliver(again.run(), "ada");
    eventually(() -> arrived.size() == 3);
    assertThat(third.message().id()).isEqualTo(id);
    assertThat(third.run()).isNotEqualTo(again.run());
  }

  @Test
  void a_redelivery_that_a_crash_cuts_off_continues_under_the_same_id() {
    hapax.outbox().courier("shop", arrived::add);
    String id = hapax.start(register(paid), order("A-1")).await().key();
    eventually(() -> hapax.outbox().message(id).state().equals("delivered"));
    crash(paid);

    Delivery again = hapax.outbox().redeliver(id, "ada"); // no courier is there yet
    crash(paid);
    Delivery same = hapax.outbox().redeliver(id, "ada");
    hapax.outbox().courier("shop", arrived::add);

    assertThat(same.run()).isEqualTo(again.run());
    eventually(() -> arrived.size() == 2);
    assertThat(arrived).extracting(OutgoingMessage::id).containsOnly(id);
  }

  @Test
  void a_dead_letter_is_found_and_redelivered_by_its_id() {
    var open = new AtomicInteger();
    hapax
        .outbox()
        .courier(
            "shop",
            message -> {
              if (open.get() == 0) {
                throw new Rejected("gone", "410");
              }
              arrived.add(message);
            });
    String id = hapax.start(register(paid), order("A-1")).await().key();
    eventually(() -> hapax.outbox().message(id).state().equals("dead"));

    open.set(1);
    Delivery again = hapax.outbox().redeliver(id, "ada");

    assertThat(again.run()).isEqualTo(hapax.outbox().message(id).run());
    eventually(() -> arrived.size() == 1);
    assertThatThrownBy(() -> hapax.tenant("other").outbox().redeliver(id, "eve"))
        .isInstanceOf(NotFound.class);
    assertThatThrownBy(() -> hapax.tenant("other").outbox().redeliver(again.run(), "eve"))
        .isInstanceOf(NotFound.class);
  }

  @Test
  void a_courier_that_works_in_steps_does_nothing_twice() {
    hapax.outbox().courier("shop", (run, message) -> null);
    String id = hapax.start(register(paid), order("A-1")).await().key();
    eventually(() -> hapax.outbox().message(id).state().equals("delivered"));

    assertThatThrownBy(() -> hapax.outbox().redeliver(id, "ada"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("handles each message once");
  }

  @Test
  void messages_are_listed_by_destination_state_and_time() {
    hapax.outbox().courier("shop", arrived::add);
    hapax.outbox().publish("first", Message.to("shop").type("t"));
    eventually(() -> arrived.size() == 1);
    time.move(Duration.ofHours(1));
    Instant later = time.ports().clock().now();
    hapax.outbox().publish("second", Message.to("shop-2").type("t"));

    OutboxFilter all = OutboxFilter.ALL;
    assertThat(hapax.outbox().list(all)).hasSize(2);
    assertThat(hapax.outbox().list(all.destination("shop"))).hasSize(1);
    assertThat(hapax.outbox().list(all.destination("shop*"))).hasSize(2);
    assertThat(hapax.outbox().list(all.published(later, null)))
        .singleElement()
        .extracting(Delivery::state)
        .isEqualTo("undelivered");
    assertThat(hapax.outbox().list(all.published(null, later)))
        .singleElement()
        .extracting(one -> one.message().destination())
        .isEqualTo("shop");
    eventually(() -> hapax.outbox().list(all.anyOf(OutboxFilter.DELIVERED)).size() == 1);
    assertThat(hapax.outbox().list(all.anyOf(OutboxFilter.DEAD))).isEmpty();
  }

  @Test
  void a_rejected_message_is_a_dead_letter_at_once() {
    hapax
        .outbox()
        .courier(
            "shop",
            _ -> {
              throw new Rejected("gone", "410");
            });

    hapax.start(register(paid), order("A-1")).await();

    eventually(() -> !hapax.outbox().deadLetters().isEmpty());
    assertThat(hapax.outbox().deadLetters().getFirst().problem()).contains("gone");
  }

  @Test
  void outside_a_run_the_key_of_the_caller_makes_it_once() {
    hapax.outbox().courier("shop", arrived::add);
    Message message = Message.to("shop").type("opened").data(List.of(1, 2));

    String first = hapax.outbox().publish("day-1", message);
    String again = hapax.outbox().publish("day-1", message);
    String other = hapax.outbox().publish("day-2", message);

    assertThat(again).isEqualTo(first);
    assertThat(other).isNotEqualTo(first);
    assertThatThrownBy(() -> hapax.outbox().publish("day-1", message.data("another")))
        .isInstanceOf(MessageKeyReused.class)
        .hasMessageContaining("day-1");
    eventually(() -> arrived.size() == 2);
  }

  @Test
  void a_retried_run_with_corrected_input_does_not_publish_again_and_says_so() {
    var fail = new AtomicInteger(1);
    Flow<Order, Receipt> flow =
        orders("failing")
            .body(
                (run, order) -> {
                  String id = run.publish("tell", Message.to("shop").type("t").data(order.total()));
                  if (fail.getAndDecrement() > 0) {
                    throw new IllegalStateException("no");
                  }
                  return new Receipt(order.id(), id);
                });
    hapax.outbox().courier("shop", arrived::add);
    RunHandle<Receipt> run = hapax.start(register(flow), order("A-1"));
    awaitStatus(run, RunStatus.FAILED);

    hapax.retry(run.id(), "ada", flow, new Order("A-1", 45));
    awaitStatus(run, RunStatus.SUCCEEDED);

    eventually(() -> arrived.size() == 1);
    assertThat(hapax.history(run.id()))
        .anyMatch(
            line -> {
              String decision = line.decision();
              return decision != null
                  && decision.contains("published before, the content differs and is not sent");
            });
  }

  @Test
  void items_publish_messages_of_their_own() {
    Flow<Order, Receipt> flow =
        orders("items")
            .body(
                (run, order) -> {
                  for (int i = 0; i < 3; i++) {
                    run.item(i).publish("tell", Message.to("shop").type("line").data(i));
                  }
                  return new Receipt(order.id(), "");
                });
    hapax.outbox().courier("shop", arrived::add);

    hapax.start(register(flow), order("A-1")).await();

    eventually(() -> arrived.size() == 3);
    assertThat(arrived.stream().map(OutgoingMessage::id).distinct()).hasSize(3);
  }

  @Test
  void what_cannot_be_sent_is_refused_in_clear_words() {
    Flow<Order, Receipt> flow =
        orders("bad")
            .body(
                (run, order) ->
                    new Receipt(
                        order.id(),
                        run.publish(
                            "tell", Message.to("shop").type("t").data("x".repeat((1 << 20) + 1)))));

    RunHandle<Receipt> run = hapax.start(register(flow), order("A-1"));

    awaitStatus(run, RunStatus.FAILED);
    assertThat(entry(run, "ended").error()).contains("value-too-large", "too large");
    assertThatThrownBy(() -> Message.to("no space"))
        .hasMessageContaining("name of the destination");
    assertThatThrownBy(() -> Message.to("x".repeat(65)))
        .hasMessageContaining("at most 64 characters");
    assertThatThrownBy(() -> Message.to("shop").type("")).hasMessageContaining("type of a message");
    hapax.outbox().courier("shop", arrived::add);
    assertThatThrownBy(() -> hapax.outbox().courier("shop", arrived::add))
        .hasMessageContaining("has a courier already");
    assertThatThrownBy(() -> hapax.register(orders("hapax/deliver/x").body((_, _) -> null)))
        .hasMessageContaining("are reserved for Hapax");
  }

  @Test
  void the_default_terms_try_for_a_day() {
    RetryPolicy retry = DeliveryTerms.DEFAULT.retry();
    Duration sum = Duration.ZERO;
    for (int attempt = 1; attempt < retry.attempts(); attempt++) {
      sum = sum.plus(retry.delayAfter(attempt, 0));
    }

    assertThat(sum).isGreaterThan(Duration.ofHours(24));
  }

  @Test
  void the_message_and_its_journal_entry_are_one_commit() {
    var together = new AtomicInteger();
    process.beforeCommit(
        batch -> {
          if (MortalStore.writes(batch, "published") && spawns(batch)) {
            together.incrementAndGet();
          }
        });

    hapax.start(register(paid), order("A-1")).await();

    assertThat(together).hasValue(1);
  }

  private static boolean spawns(Batch batch) {
    return batch.groups().stream()
        .flatMap(group -> group.changes().stream())
        .anyMatch(Change.Spawn.class::isInstance);
  }
}
