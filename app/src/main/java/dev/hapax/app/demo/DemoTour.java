package dev.hapax.app.demo;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where in the web UI the story of the demo can be followed.
 *
 * @param server where it listens
 * @param killed the page of a run that the kill interrupted; null if none is known
 */
public record DemoTour(URI server, @Nullable String killed) {
  /** A page, and what it shows. */
  public record Stop(String says, String path) {}

  /** Returns the pages in the order of the story. */
  public List<Stop> stops() {
    var stops = new ArrayList<Stop>();
    stops.add(new Stop("All of it on one page", "/"));
    stops.add(new Stop("The webhooks that came again and started nothing", "/inbox?repeated=true"));
    if (killed != null) {
      stops.add(new Stop("A run that was sending when the server was killed", killed));
    }
    stops.add(new Stop("The lost answers that only a person can decide", "/reviews"));
    stops.add(
        new Stop("Orders that could not be shipped and were undone", "/runs?status=compensated"));
    return stops;
  }

  /** Returns the pages as lines of text, with whole addresses. */
  public List<String> lines() {
    return stops().stream()
        .map(stop -> "  %-50s %s".formatted(stop.says(), server.resolve(stop.path())))
        .toList();
  }
}
