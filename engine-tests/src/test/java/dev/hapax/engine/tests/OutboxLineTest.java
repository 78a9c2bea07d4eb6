package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Courier;
import dev.hapax.Delivery;
import dev.hapax.DeliveryTerms;
import dev.hapax.OutgoingMessage;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Message;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Messages of a line are delivered one after the other, and not for longer than is safe. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class OutboxLineTest extends EngineTest {
  private final ConcurrentLinkedQueue<String> arrived = new ConcurrentLinkedQueue<>();

  /** Publishes three messages of one line, and one of another. */
  private final Flow<Order, Receipt> tells =
      orders("tells")
          .body(
              (run, order) -> {
                Message message = Message.to("shop").type("told").inLine("order/" + order.id());
                for (int i = 1; i <= 3; i++) {
                  run.publish("tell-" + i, message.data(i));
                }
                run.publish("other", message.inLine("order/other").data("other"));
                return new Receipt(order.id(), "");
              });

  private Courier taking(Courier first) {
    return message -> {
      if (message.json().equals("1")) {
        first.deliver(message);
      }
      arrived.add(message.json());
    };
  }

  @Test
  void a_message_that_is_retried_is_not_overtaken_by_the_next_one_of_its_line() {
    var refusals = new AtomicInteger(3);
    hapax
        .outbox()
        .courier(
            "shop",
            taking(
                _ -> {
                  if (refusals.getAndDecrement() > 0) {
                    throw new NotApplied("connection refused");
                  }
                }));

    hapax.start(register(tells), order("A-1")).await();
    eventually(() -> arrived.contains("\"other\""));
    assertThat(arrived).hasSize(1);
    moveUntil(Duration.ofSeconds(1), () -> arrived.size() == 4);

    assertThat(arrived).containsExactly("\"other\"", "1", "2", "3");
  }

  @Test
  void the_order_of_a_line_outlives_a_crash() {
    var stuck = new CountDownLatch(1);
    hapax.outbox().courier("shop", taking(_ -> stuck.await()));
    hapax.start(register(tells), order("A-1")).await();
    eventually(() -> arrived.contains("\"other\""));

    crash(tells);
    hapax.outbox().courier("shop", taking(_ -> {}));
    moveUntil(Duration.ofSeconds(1), () -> arrived.contains("3"));

    assertThat(arrived.stream().filter(one -> !one.equals("\"other\"")))
        .containsExactly("1", "2", "3");
  }

  @Test
  void a_message_that_has_failed_lets_the_next_one_of_its_line_go() {
    hapax
        .outbox()
        .courier(
            "shop",
            taking(
                _ -> {
                  throw new Rejected("gone", "410");
                }));

    hapax.start(register(tells), order("A-1")).await();

    eventually(() -> arrived.size() == 3);
    assertThat(hapax.outbox().deadLetters()).hasSize(1);
    assertThat(arrived.stream().filter(one -> !one.equals("\"other\""))).containsExactly("2", "3");
  }

  @Test
  void a_message_in_review_keeps_the_next_one_of_its_line_waiting() {
    var isAway = new AtomicBoolean(true);
    hapax
        .outbox()
        .courier(
            "shop",
            taking(
                _ -> {
                  if (isAway.get()) {
                    throw new IOException("connection reset");
                  }
                }),
            DeliveryTerms.DEFAULT.retry(retries(1)));
    hapax.start(register(tells), order("A-1")).await();
    moveUntil(Duration.ofSeconds(1), () -> !hapax.outbox().deadLetters().isEmpty());

    Delivery dead = hapax.outbox().deadLetters().getFirst();
    eventually(() -> arrived.contains("\"other\""));
    assertThat(dead.status()).isEqualTo(RunStatus.REVIEW);
    assertThat(arrived).containsOnly("\"other\"");
    isAway.set(false);
    hapax.outbox().redeliver(dead, "ada");

    eventually(() -> arrived.size() == 4);
    assertThat(arrived).containsExactly("\"other\"", "1", "2", "3");
  }

  @Test
  void a_message_in_doubt_is_not_sent_again_when_its_receiver_may_have_forgotten_its_id() {
    var sent = new ConcurrentLinkedQueue<Instant>();
    Courier forgetful =
        new Courier() {
          @Override
          public void deliver(OutgoingMessage message) throws IOException {
            sent.add(time.ports().clock().now());
            throw new IOException("connection reset");
          }

          @Override
          public Duration remembers(OutgoingMessage message, Duration usual) {
            return Duration.ofMinutes(5);
          }
        };
    hapax.outbox().courier("shop", forgetful);

    hapax.outbox().publish("m-1", Message.to("shop").type("told").data(1));
    moveUntil(Duration.ofSeconds(10), () -> !hapax.outbox().deadLetters().isEmpty());

    assertThat(hapax.outbox().deadLetters().getFirst().status()).isEqualTo(RunStatus.REVIEW);
    assertThat(effect(EffectState.REVIEW).attempts()).isGreaterThan(1);
    List<Instant> times = List.copyOf(sent);
    assertThat(times).hasSizeGreaterThan(1);
    assertThat(Duration.between(times.getFirst(), times.getLast()))
        .isLessThan(Duration.ofMinutes(5));
    time.move(Duration.ofDays(2));
    assertThat(sent).hasSameSizeAs(times);
  }
}
