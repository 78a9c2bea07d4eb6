package dev.hapax.app.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the orders of a batch as webhooks and queues do: each several times, many at once, and
 * again until the server has acknowledged. After a restart it remembers nothing and begins from the
 * first.
 */
final class Shop {
  private static final int AT_ONCE = 32;
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Slow enough to watch, and to be killed in the middle. */
  private static final Duration USUAL_PACE = Duration.ofMillis(20);

  private static final Duration LONGEST = Duration.ofSeconds(8);

  private final List<OrderDelivery> deliveries;
  private final ServerDoor server;
  private final WebhookSecrets secrets;
  private final Semaphore hands = new Semaphore(AT_ONCE);
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger duplicates = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private volatile @Nullable String refusal;

  Shop(List<OrderDelivery> deliveries, ServerDoor server, WebhookSecrets secrets) {
    this.deliveries = deliveries;
    this.server = server;
    this.secrets = secrets;
  }

  /**
   * The progress of the deliveries.
   *
   * @param duplicates acknowledged ones that found their run there already
   * @param unanswered tries that got no answer, because the server was dead or died; they were
   *     repeated
   */
  record Count(int planned, int acknowledged, int duplicates, int unanswered) {
    boolean isAll() {
      return acknowledged == planned;
    }

    boolean isHalf() {
      return acknowledged * 2 >= planned;
    }
  }

  Count count() {
    return new Count(deliveries.size(), acknowledged.get(), duplicates.get(), unanswered.get());
  }

  /** Throws if the server refused an order: the folder holds other orders under the same ids. */
  void refuseIfRefused() {
    if (refusal != null) {
      throw new IllegalStateException("the server refused an order: " + refusal);
    }
  }

  void open() {
    Thread.ofPlatform().daemon().name("demo-shop").start(this::deliverAll);
  }

  private void deliverAll() {
    Duration even = LONGEST.dividedBy(deliveries.size());
    Duration pace = even.compareTo(USUAL_PACE) < 0 ? even : USUAL_PACE;
    try {
      for (OrderDelivery delivery : deliveries) {
        hands.acquire();
        Thread.ofVirtual().start(() -> deliver(delivery));
        Thread.sleep(pace);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void deliver(OrderDelivery delivery) {
    try {
      if (!isAcknowledged(delivery)) {
        unanswered.incrementAndGet();
        do {
          Thread.sleep(PAUSE);
        } while (!isAcknowledged(delivery));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      hands.release();
    }
  }

  private boolean isAcknowledged(OrderDelivery delivery) throws InterruptedException {
    var headers = new HashMap<>(delivery.signature(secrets, Instant.now().getEpochSecond()));
    headers.put("Content-Type", "application/json");
    ServerDoor.Heard heard = server.send("POST", delivery.door().path(), delivery.body(), headers);
    if (heard == null || heard.status() / 100 == 5) {
      return false; // the server may or may not have it: the next delivery shows
    }
    if (heard.isGood()) {
      if (isDuplicate(delivery, heard)) {
        duplicates.incrementAndGet();
      }
      acknowledged.incrementAndGet();
    } else {
      refusal = heard.body();
    }
    return true;
  }

  private static boolean isDuplicate(OrderDelivery delivery, ServerDoor.Heard heard) {
    return delivery.door() == OrderDelivery.Door.PAY
        ? heard.status() == 200
        : "duplicate".equals(heard.read(Received.class).outcome());
  }

  /** The answer to a webhook. */
  private record Received(@Nullable String run, String outcome) {}
}
