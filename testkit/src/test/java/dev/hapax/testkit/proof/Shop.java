package dev.hapax.testkit.proof;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The destinations of an order, and the flow that calls them. Safe for many threads. */
class Shop {
  final Map<String, String> charges = new ConcurrentHashMap<>();
  final Map<String, String> parcels = new ConcurrentHashMap<>();
  private final List<String> mails = new ArrayList<>();

  record Order(String id, int total) {}

  synchronized List<String> mails() {
    return List.copyOf(mails);
  }

  synchronized void mail(String to) {
    mails.add(to);
  }

  /** A provider that removes duplicates by the key. */
  String charge(String key, Order order) {
    return charges.computeIfAbsent(key, _ -> "receipt for " + order.total());
  }

  /** A carrier that does not, but can be asked. */
  synchronized String ship(Order order) {
    if (parcels.put(order.id(), "on its way") != null) {
      throw new AssertionError("order " + order.id() + " was shipped twice");
    }
    return "on its way";
  }

  Flow<Order, String> flow() {
    return Flow.of("order", Order.class, String.class)
        .key(Order::id)
        .body(
            (run, order) -> {
              String receipt =
                  run.effect(
                      "charge",
                      Effect.create(order.id()).keyed(),
                      key -> charge(key, order),
                      String.class);
              run.sleep("settle", Duration.ofDays(1));
              run.effect(
                  "ship",
                  Effect.create(order.id())
                      .lookup(_ -> Optional.ofNullable(parcels.get(order.id()))),
                  _ -> ship(order),
                  String.class);
              run.effect("mail", Effect.notify(order.id()).unguarded(), _ -> mail(order.id()));
              return receipt;
            });
  }
}
