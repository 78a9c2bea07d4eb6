package dev.hapax.app.crash.blueprint;

import dev.hapax.app.crash.blueprint.Visit.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A payment service that removes duplicates by key, refuses the poor, and stores refusals under the
 * key too. Two blueprints use it.
 */
final class Payments implements Town.Place {
  static final String POOR = "poor-";

  private record Charge(String id, String order, long cents) {}

  private final Map<String, Charge> byKey = new LinkedHashMap<>(); // by this

  @Override
  public synchronized @Nullable Answer visit(Visit visit) {
    if (!visit.system().equals("payments")) {
      return null;
    }
    if (visit.method().equals("GET")) {
      return Answer.of(200, of(visit.parameter()));
    }
    String order = visit.field("order");
    if (order.startsWith(POOR)) {
      return Answer.of(402, Map.of("code", "declined"));
    }
    Charge charge =
        byKey.computeIfAbsent(
            visit.key(),
            _ -> new Charge("ch-" + byKey.size(), order, visit.json().path("cents").asLong()));
    return Answer.of(201, charge);
  }

  private List<Charge> of(String order) {
    return byKey.values().stream().filter(charge -> charge.order().equals(order)).toList();
  }

  synchronized String look(String order) {
    List<Charge> found = of(order);
    return found.isEmpty() ? "" : found.getFirst().id();
  }

  /** What is wrong if this order was to be charged so many times. */
  synchronized List<String> problems(String order, int times) {
    var problems = new ArrayList<String>();
    if (of(order).size() != times) {
      problems.add("%s: %d charges expected: %s".formatted(order, times, of(order)));
    }
    return problems;
  }
}
