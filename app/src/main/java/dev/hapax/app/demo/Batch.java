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
 * The orders of one demo from start to end, however often it is killed in between. Everything in it
 * follows from number, size and seed, so a demo that goes on delivers the very same orders again.
 */
record Batch(int number, int size, long seed, boolean finished) {
  private static final int MOST_DELIVERIES = 3;

  /** The batch that was not finished, or else a new one. */
  static Batch open(DataFolder folder, DemoOptions options) throws IOException {
    Batch last =
        Files.exists(folder.batch())
            ? Json.read(Files.readString(folder.batch()), Batch.class)
            : new Batch(0, 0, 0, true);
    if (!last.finished) {
      return last;
    }
    var next = new Batch(last.number + 1, options.orders(), options.seed(), false);
    next.save(folder);
    return next;
  }

  void finish(DataFolder folder) throws IOException {
    new Batch(number, size, seed, true).save(folder);
  }

  private void save(DataFolder folder) throws IOException {
    DataFolder.replace(folder.batch(), Json.write(this));
  }

  /** What the ids of its orders begin with, and no others. */
  String prefix() {
    return "A" + number + "-";
  }

  List<Order> orders() {
    var random = new Random(seed);
    return IntStream.rangeClosed(1, size)
        .mapToObj(
            i ->
                new Order(
                    prefix() + "%04d".formatted(i),
                    "customer%d@example.com".formatted(random.nextInt(1, 1000)),
                    random.nextLong(100, 50_000)))
        .toList();
  }

  /**
   * Each order one to three times, in no order: a webhook that is sent again, a queue that
   * redelivers.
   */
  List<Order> deliveries() {
    var random = new Random(seed + number);
    var deliveries = new ArrayList<Order>();
    for (Order order : orders()) {
      deliveries.addAll(Collections.nCopies(random.nextInt(1, MOST_DELIVERIES + 1), order));
    }
    Collections.shuffle(deliveries, random);
    return deliveries;
  }
}
