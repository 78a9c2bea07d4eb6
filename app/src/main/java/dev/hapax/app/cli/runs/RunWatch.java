package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Output;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Follows a run until it ends, waits for a person, or the time is over. It polls: that works
 * through every proxy, and misses nothing after a broken connection.
 */
final class RunWatch {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final ServerClient server;
  private final Output output;
  private final boolean live;
  private final Set<String> told = new HashSet<>();

  /**
   * A watch of runs.
   *
   * @param live whether to print each entry of the history as it arrives
   */
  RunWatch(ServerClient server, Output output, boolean live) {
    this.server = server;
    this.output = output;
    this.live = live;
  }

  /** Returns the run as it is at the end of the watch. */
  Outcome follow(JsonNode begun, Duration atMost) throws InterruptedException {
    var run = new Item(begun);
    String id = run.text("id");
    long end = System.nanoTime() + atMost.toNanos();
    Duration pause = FIRST_PAUSE;
    while (true) {
      tell(run, live ? history(server, id) : List.of());
      boolean asksPerson = asksPerson(run);
      if (RunText.hasEnded(run) || asksPerson || System.nanoTime() >= end) {
        return new Outcome(run.json(), asksPerson);
      }
      Thread.sleep(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
      run = new Item(server.ask(ServerRequest.get("/api/runs/{}", id)).json());
    }
  }

  /** The run, and whether it continues only when a person decides. */
  record Outcome(JsonNode run, boolean asksPerson) {}

  /** Reads the whole history of a run, page by page. */
  static List<Item> history(ServerClient server, String id) {
    var all = new ArrayList<Item>();
    String after = null;
    do {
      ServerRequest request = ServerRequest.get("/api/runs/{}/history", id).query("after", after);
      var page = new Item(server.ask(request).json());
      all.addAll(page.items("items"));
      after = page.text("next").isEmpty() ? null : page.text("next");
    } while (after != null);
    return all;
  }

  private void tell(Item run, List<Item> history) {
    for (Item entry : history) {
      if (live && told.add(entry.text("seq"))) {
        output.tell(RunText.line(entry, output.paint()));
      }
    }
    output.progress(
        "%s is %s".formatted(run.text("id"), output.paint().status(run.text("status"))));
  }

  /** Returns what a run waits for; nothing if it has ended. */
  static List<WaitText> waits(ServerClient server, Item run) {
    if (RunText.hasEnded(run)) {
      return List.of();
    }
    JsonNode page = server.ask(ServerRequest.get("/api/runs/{}/waits", run.text("id"))).json();
    return new Item(page).items("items").stream().map(WaitText::new).toList();
  }

  /** Returns the last duplicates that this run has stopped, the newest first. */
  static List<Item> duplicates(ServerClient server, Item run) {
    if (run.json().path("duplicates").asLong(0) == 0) {
      return List.of();
    }
    ServerRequest request = ServerRequest.get("/api/runs/{}/duplicates", run.text("id"));
    return new Item(server.ask(request).json()).items("items");
  }

  /** Returns whether the run, or a run that it waits for, continues only if a person decides. */
  private boolean asksPerson(Item run) {
    if (run.text("failureClass").equals("review")) {
      return true;
    }
    return switch (run.text("status")) {
      case "review" -> true;
      case "waiting", "canceling", "compensating" ->
          waits(server, run).stream().anyMatch(WaitText::asksPerson);
      default -> false;
    };
  }
}
