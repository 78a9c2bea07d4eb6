package dev.hapax.app.observe;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/events}: changes of the caller's runs, as server-sent events. With {@code
 * Last-Event-ID} it continues where it ended; if that is not possible, the event {@code reset} says
 * that something may be missing.
 */
public final class EventStream {
  private static final Duration ALIVE = Duration.ofSeconds(15);

  private final RunFeed feed;

  public EventStream(RunFeed feed) {
    this.feed = feed;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/events",
                TokenScope.RUNS_READ,
                "Stream the events of runs as they happen",
                this::stream)
            .about(FlowSubject.LISTED)
            .query("flow", "Only runs of this flow.")
            .query("run", "Only this run.")
            .givesText("text/event-stream"));
  }

  private record RunEvent(String run, String flow, String key, String status, Instant at) {}

  private RouteAnswer stream(Call call) {
    call.allowQuery("flow", "run");
    String flow = call.query("flow");
    String run = call.query("run");
    long after = place(call.header("Last-Event-ID"));
    return RouteAnswer.stream(
            sink -> {
              sink.send("retry: 1000\n\n");
              write(sink, call.actor().tenant(), after, entry -> event(call, entry, flow, run));
            },
            "text/event-stream")
        .header("Cache-Control", "no-store")
        .header("X-Accel-Buffering", "no");
  }

  private long place(@Nullable String lastEventId) {
    if (lastEventId == null || lastEventId.isEmpty()) {
      return feed.newest();
    }
    try {
      return Long.parseLong(lastEventId);
    } catch (NumberFormatException e) {
      throw Problem.invalidInput(
          "Last-Event-ID: expected the id of an event, got '%s'".formatted(lastEventId));
    }
  }

  @FunctionalInterface
  private interface View {
    @Nullable RunEvent of(RunFeed.Entry entry);
  }

  private void write(RouteAnswer.Sink sink, String tenant, long begin, View view)
      throws IOException, InterruptedException {
    long after = begin;
    while (!sink.isClosing()) {
      RunFeed.Part part = feed.after(tenant, after, ALIVE);
      if (sink.isClosing()) { // also: the token was revoked while nothing happened
        return;
      }
      if (!part.isComplete()) {
        sink.send("id: %d\nevent: reset\ndata: {}\n\n".formatted(part.last()));
      } else {
        for (RunFeed.Entry entry : part.entries()) {
          RunEvent event = view.of(entry);
          if (event != null) {
            sink.send("id: %d\nevent: run\ndata: %s\n\n".formatted(entry.id(), Json.write(event)));
          }
        }
        if (part.entries().isEmpty()) {
          sink.send(": alive\n\n");
        }
      }
      after = part.last();
    }
  }

  /** Returns null if it is not for this caller. */
  private @Nullable RunEvent event(
      Call call, RunFeed.Entry entry, @Nullable String flow, @Nullable String wanted) {
    RunName run = feed.nameOf(entry);
    if (run == null
        || !run.tenant().equals(call.actor().tenant())
        || !call.mayUse(run.flow())
        || (flow != null && !flow.equals(run.flow()))
        || (wanted != null && !wanted.equals(run.id()))) {
      return null;
    }
    return new RunEvent(run.id(), run.flow(), run.key(), entry.status().word(), entry.at());
  }
}
