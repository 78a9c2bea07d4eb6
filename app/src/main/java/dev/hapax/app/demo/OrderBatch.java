package dev.hapax.app.demo;

import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The orders of one demo from start to end, however often it is killed in between. Number, size and
 * seed determine everything in it, so a demo that continues delivers the very same orders again.
 */
record OrderBatch(int number, int size, long seed, boolean finished) {
  private static final int MOST_DELIVERIES = 3;

  /** Returns the unfinished batch, or a new one. */
  static OrderBatch open(DemoFolder folder, DemoOptions options) throws IOException {
    OrderBatch last =
        Files.exists(folder.batch())
            ? Json.read(Files.readString(folder.batch()), OrderBatch.class)
            : new OrderBatch(0, 0, 0, true);
    if (!last.finished) {
      return last;
    }
    var next = new OrderBatch(last.number + 1, options.orders(), options.seed(), false);
    next.save(folder);
    return next;
  }

  void finish(DemoFolder folder) throws IOException {
    new OrderBatch(number, size, seed, true).save(folder);
  }

  private void save(DemoFolder folder) throws IOException {
    DemoFolder.replace(folder.batch(), Json.write(this));
  }

  /** Returns the prefix of the ids of its orders, and of no others. */
  String prefix() {
    return "A" + number + "-";
  }

  boolean owns(String order) {
    return order.startsWith(prefix());
  }

  List<Order> orders() {
    var random = new Random(seed);
    return IntStream.rangeClosed(1, size)
        .mapToObj(
            i -> {
              int customer = random.nextInt(1, 1000);
              return new Order(
                  prefix() + "%04d".formatted(i),
                  "C-" + customer,
                  "customer%d@example.com".formatted(customer),
                  random.nextLong(100, 50_000));
            })
        .toList();
  }

  /**
   * Delivers each order one to three times at each door, shuffled: a webhook that is sent again, a
   * person who presses the button again.
   */
  List<OrderDelivery> deliveries() {
    var random = new Random(seed + number);
    var deliveries = new ArrayList<OrderDelivery>();
    for (Order order : orders()) {
      for (OrderDelivery.Door door : OrderDelivery.Door.values()) {
        int times = random.nextInt(1, MOST_DELIVERIES + 1);
        deliveries.addAll(Collections.nCopies(times, new OrderDelivery(door, order)));
      }
    }
    Collections.shuffle(deliveries, random);
    return deliveries;
  }
}
