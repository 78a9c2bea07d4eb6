package dev.hapax.testkit.simulation;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The contents of the destinations, and how each removes the duplicates that its guard promises.
 */
final class DestinationMemory {
  private final Map<String, Held> held = new HashMap<>();
  private int applied;

  /** The result stored under a key. */
  private record Held(long since, String result) {}

  /** Takes a copy of the request that has arrived. */
  void take(WorldRequest request, long now) {
    String place = place(request.destination, request.order.wireKey());
    Held there = held.get(place);
    if (there != null && isDuplicate(request, there, now)) {
      request.result = request.applied ? request.result : there.result();
      return;
    }
    applied++;
    String offered = request.order.offered();
    String result = offered != null ? offered : "\"done-" + applied + "\"";
    request.result = result;
    request.applied = true;
    held.put(place, new Held(now, result));
  }

  private static boolean isDuplicate(WorldRequest request, Held there, long now) {
    return switch (request.destination.guard()) {
      case KEYED -> now - there.since() < request.destination.window().toNanos();
      case TRANSACTION -> true;
      case UPSERT -> request.applied; // a second copy carries the same bytes
      case LOOKUP, NONE -> false;
    };
  }

  /** Returns the result as JSON text; null if there is none. */
  @Nullable String held(SimulatedDestination destination, String wireKey) {
    Held there = held.get(place(destination, wireKey));
    return there == null ? null : there.result();
  }

  private static String place(SimulatedDestination destination, String wireKey) {
    return destination.name() + " " + wireKey;
  }
}
