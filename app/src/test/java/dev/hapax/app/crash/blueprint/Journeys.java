package dev.hapax.app.crash.blueprint;

import dev.hapax.app.crash.blueprint.Visit.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The saga: an airline that removes duplicates by key, a hotel that does not, and a rental that is
 * written by name. Journeys of the poor are booked, not paid, and canceled.
 */
final class Journeys implements Blueprint {
  private final Door door;
  private final Payments payments;
  // All by this.
  private final List<String> journeys = new ArrayList<>();
  private final Map<String, String> flightsByKey = new HashMap<>();
  private final List<String> stays = new ArrayList<>();
  private final Map<String, String> canceledStaysByKey = new HashMap<>();
  private final Set<String> canceledFlights = new HashSet<>();
  private final Map<String, Boolean> rentals = new TreeMap<>();

  Journeys(Door door, Payments payments) {
    this.door = door;
    this.payments = payments;
  }

  @Override
  public String flow() {
    return "book-journey";
  }

  @Override
  public List<String> connections() {
    return List.of("airline", "hotel", "rental");
  }

  @Override
  public synchronized List<Callable<?>> work(int life) {
    var work = new ArrayList<Callable<?>>();
    for (String journey : List.of("rich-" + life, Payments.POOR + life)) {
      journeys.add(journey);
      work.add(() -> door.startTwice(flow(), Map.of("journey", journey, "cents", 90_000)));
    }
    return work;
  }

  /** An id is the kind of booking and the journey. */
  @Override
  public synchronized @Nullable Answer visit(Visit visit) {
    if (visit.is("airline", "POST", "/bookings")) {
      flightsByKey.put(visit.key(), visit.field("journey"));
      return Answer.of(201, Map.of("id", "flight-" + visit.field("journey")));
    }
    if (visit.is("airline", "DELETE", "/bookings/")) {
      boolean first = canceledFlights.add(visit.last().substring("flight-".length()));
      return Answer.of(first ? 200 : 404, Map.of());
    }
    if (visit.is("hotel", "GET", "/stays")) {
      String journey = visit.parameter();
      return Answer.of(
          200, stays.contains(journey) ? List.of(Map.of("id", "stay-" + journey)) : List.of());
    }
    if (visit.is("hotel", "POST", "/stays")) {
      stays.add(visit.field("journey"));
      return Answer.of(201, Map.of("id", "stay-" + visit.field("journey")));
    }
    if (visit.is("hotel", "POST", "/cancellations")) {
      canceledStaysByKey.put(visit.key(), visit.field("stay").substring("stay-".length()));
      return Visit.ok();
    }
    if (visit.system().equals("rental")) {
      rentals.put(visit.last(), visit.method().equals("PUT"));
      return Visit.ok();
    }
    return null;
  }

  @Override
  public synchronized @Nullable String look(String effect, String key) {
    return switch (effect) {
      case "book-journey/hotel" -> stays.contains(key) ? "stay-" + key : "";
      default -> null;
    };
  }

  @Override
  public synchronized List<String> problems(List<JsonNode> runs) {
    var problems = new ArrayList<String>();
    Blueprint.expect(
        problems,
        runs,
        run ->
            Blueprint.hasEnded(
                run,
                run.path("key").asString().startsWith(Payments.POOR)
                    ? "compensated"
                    : "succeeded"));
    if (runs.size() != journeys.size()) {
      problems.add("%d runs of %d journeys".formatted(runs.size(), journeys.size()));
    }
    for (String journey : journeys) {
      int kept = journey.startsWith(Payments.POOR) ? 0 : 1;
      problems.addAll(payments.problems(journey, kept));
      String found =
          "%d flights, %d stays, %d cancellations of stays, flight canceled %b, rental %b"
              .formatted(
                  flightsByKey.values().stream().filter(journey::equals).count(),
                  stays.stream().filter(journey::equals).count(),
                  canceledStaysByKey.values().stream().filter(journey::equals).count(),
                  canceledFlights.contains(journey),
                  rentals.get(journey));
      String expected =
          "1 flights, 1 stays, %d cancellations of stays, flight canceled %b, rental %b"
              .formatted(1 - kept, kept == 0, kept == 1);
      if (!found.equals(expected)) {
        problems.add("%s: %s, but %s was expected".formatted(journey, found, expected));
      }
    }
    return problems;
  }
}
