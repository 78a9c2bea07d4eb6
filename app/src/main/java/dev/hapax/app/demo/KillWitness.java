package dev.hapax.app.demo;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds a run that was sending something when the server was killed: its history says so. */
final class KillWitness {
  private static final String SAID = "the process ended while";
  private static final String BEFORE = "/api/runs?limit=100&until=";

  private final ServerDoor door;

  KillWitness(ServerDoor door) {
    this.door = door;
  }

  /** Returns the page of the web UI with the step that was under way; null if there is none. */
  @Nullable String pageOf(Instant kill) throws InterruptedException {
    ServerDoor.Heard runs = door.get(BEFORE + kill);
    if (runs == null || !runs.isGood()) {
      return null;
    }
    for (Ledger.Line run : runs.read(Ledger.Runs.class).items()) {
      ServerDoor.Heard history = door.get("/api/runs/" + run.id() + "/history?limit=200");
      if (history == null || !history.isGood()) {
        return null;
      }
      for (Entry entry : history.read(Entries.class).items()) {
        if (entry.tells() && entry.item() == null) {
          return "/runs/%s?step=%s".formatted(run.id(), entry.step());
        }
      }
    }
    return null;
  }

  private record Entries(List<Entry> items) {}

  /** An entry of a history. */
  private record Entry(@Nullable String step, @Nullable String item, @Nullable String evidence) {
    boolean tells() {
      return step != null && evidence != null && evidence.startsWith(SAID);
    }
  }
}
