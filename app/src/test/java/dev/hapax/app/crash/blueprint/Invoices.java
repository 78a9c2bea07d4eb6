package dev.hapax.app.crash.blueprint;

import dev.hapax.app.crash.blueprint.Visit.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Daily orders to invoices: a shop with pages of orders, some of them bad, and an accounting that
 * makes an invoice of every request.
 */
final class Invoices implements Blueprint {
  private static final int PAGE = 4;
  private static final long TOO_MUCH = 1_000_000;

  private record Order(String id, long cents) {
    /** Empty if there is nothing to complain about. */
    String bad() {
      return cents <= 0 ? "bad-amount" : cents >= TOO_MUCH ? "http-422" : "";
    }
  }

  private record Invoice(String id, String order) {}

  private final Door door;
  // All by this.
  private final List<Order> orders = new ArrayList<>();
  private final List<Invoice> invoices = new ArrayList<>();
  private final Map<String, List<String>> reports = new TreeMap<>();

  Invoices(Door door) {
    this.door = door;
  }

  @Override
  public String flow() {
    return "invoice-day";
  }

  @Override
  public List<String> connections() {
    return List.of("shop", "accounting");
  }

  @Override
  public synchronized List<Callable<?>> work(int life) {
    for (int i = 0; i < 7; i++) {
      long cents = i == 3 ? -1 : i == 5 ? TOO_MUCH : 100 + i;
      orders.add(new Order("D-%d-%d".formatted(life, i), cents));
    }
    return List.of(() -> door.startTwice(flow(), Map.of("day", "day-%03d".formatted(life))));
  }

  @Override
  public synchronized @Nullable Answer visit(Visit visit) {
    if (visit.is("shop", "GET", "/orders")) {
      String after = visit.parameter();
      int from = after.isEmpty() ? 0 : Integer.parseInt(after);
      int to = Math.min(orders.size(), from + PAGE);
      return Answer.of(200, Map.of("orders", orders.subList(from, to), "next", to));
    }
    if (visit.is("accounting", "GET", "/invoices")) {
      return Answer.of(200, of(visit.parameter()));
    }
    if (visit.is("accounting", "POST", "/invoices")) {
      if (visit.json().path("cents").asLong() >= TOO_MUCH) {
        return Answer.of(422, Map.of("code", "too-much"));
      }
      invoices.add(new Invoice("i-" + invoices.size(), visit.field("order")));
      return Answer.of(201, invoices.getLast());
    }
    if (visit.is("accounting", "PUT", "/reports/")) {
      var bad = new ArrayList<String>();
      visit
          .json()
          .path("bad")
          .forEach(one -> bad.add(one.path("order").asString() + " " + one.path("why").asString()));
      reports.put(visit.path(), bad);
      return Visit.ok();
    }
    return null;
  }

  private List<Invoice> of(String order) {
    return invoices.stream().filter(invoice -> invoice.order().equals(order)).toList();
  }

  @Override
  public synchronized @Nullable String look(String effect, String key) {
    if (!effect.equals("invoice.create")) {
      return null;
    }
    List<Invoice> found = of(key);
    return found.isEmpty() ? "" : found.getFirst().id();
  }

  @Override
  public synchronized List<String> problems(List<JsonNode> runs) {
    var problems = new ArrayList<String>();
    Blueprint.expect(problems, runs, run -> Blueprint.hasEnded(run, "succeeded"));
    List<String> reported = reports.values().stream().flatMap(List::stream).toList();
    var expected = new ArrayList<String>();
    for (Order order : orders) {
      boolean isGood = order.bad().isEmpty();
      if (of(order.id()).size() != (isGood ? 1 : 0)) {
        problems.add("%s has so many invoices: %s".formatted(order, of(order.id())));
      }
      if (!isGood) {
        expected.add(order.id() + " " + order.bad());
      }
    }
    if (!expected.stream().sorted().toList().equals(reported.stream().sorted().toList())) {
      problems.add("%s was to be reported: %s".formatted(expected, reports));
    }
    return problems;
  }
}
