package dev.hapax.app.demo;

import dev.hapax.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the orders of a batch, each several times and many at once, and again until the worker
 * has acknowledged: what webhooks and queues do. After a restart it remembers nothing and begins
 * from the first.
 */
final class Shop {
  private static final int AT_ONCE = 32;
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Slow enough to watch, and to be killed in the middle. */
  private static final Duration USUAL_PACE = Duration.ofMillis(20);

  private static final Duration LONGEST = Duration.ofSeconds(8);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<Order> deliveries;
  private final Supplier<@Nullable URI> worker;
  private final Semaphore hands = new Semaphore(AT_ONCE);
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger duplicates = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private volatile @Nullable String refusal;

  Shop(List<Order> deliveries, Supplier<@Nullable URI> worker) {
    this.deliveries = deliveries;
    this.worker = worker;
  }

  /**
   * Where the deliveries stand.
   *
   * @param duplicates acknowledged ones that found their run there already
   * @param unanswered tries that got no answer, because the worker was dead or died; they came
   *     again
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

  /**
   * Throws if the worker would not take an order: the folder holds other orders under the same ids.
   */
  void refuseIfRefused() {
    if (refusal != null) {
      throw new IllegalStateException("the worker refused an order: " + refusal);
    }
  }

  void open() {
    Thread.ofPlatform().daemon().name("demo-shop").start(this::deliverAll);
  }

  private void deliverAll() {
    Duration even = LONGEST.dividedBy(deliveries.size());
    Duration pace = even.compareTo(USUAL_PACE) < 0 ? even : USUAL_PACE;
    try {
      while (worker.get() == null) {
        Thread.sleep(PAUSE);
      }
      for (Order order : deliveries) {
        hands.acquire();
        Thread.ofVirtual().start(() -> deliver(order));
        Thread.sleep(pace);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void deliver(Order order) {
    try {
      if (!isAcknowledged(order)) {
        unanswered.incrementAndGet();
        do {
          Thread.sleep(PAUSE);
        } while (!isAcknowledged(order));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      hands.release();
    }
  }

  private boolean isAcknowledged(Order order) throws InterruptedException {
    URI address = worker.get();
    if (address == null) {
      return false;
    }
    var request =
        HttpRequest.newBuilder(address.resolve(Worker.ORDERS))
            .timeout(Duration.ofSeconds(10))
            .POST(HttpRequest.BodyPublishers.ofString(Json.write(order)))
            .build();
    try {
      HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
      return switch (response.statusCode()) {
        case 200, 201 -> {
          if (Json.read(response.body(), Worker.Accepted.class).duplicate()) {
            duplicates.incrementAndGet();
          }
          acknowledged.incrementAndGet();
          yield true;
        }
        case 409 -> {
          refusal = response.body();
          yield true;
        }
        default -> false;
      };
    } catch (IOException e) {
      return false; // the worker may or may not have it: the next delivery tells
    }
  }
}
