package dev.hapax.app.demo;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The person who releases invoices, and who presses the button twice to be sure. It also resumes a
 * run that was alone in memory each time the server was killed, and is therefore in quarantine.
 */
final class Clerk {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Object YES = Map.of("decision", "approve", "comment", "looks right");
  private static final Object KILLED_FROM_OUTSIDE =
      Map.of("reason", "the demo killed the server, and not this run");

  private final ServerDoor server;

  Clerk(ServerDoor server) {
    this.server = server;
  }

  private record Question(String id) {}

  private record Questions(List<Question> items, @Nullable String next)
      implements ServerDoor.Page<Question> {}

  void sitDown() {
    Thread.ofPlatform().daemon().name("demo-clerk").start(this::work);
  }

  private void work() {
    try {
      while (true) {
        List<Question> open = server.all("/api/approvals", Questions.class);
        if (open != null) {
          for (Question question : open) {
            server.post("/api/approvals/" + question.id(), YES);
            server.post("/api/approvals/" + question.id(), YES);
          }
        }
        resumeInnocent();
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void resumeInnocent() throws InterruptedException {
    List<Ledger.Line> stopped = server.all("/api/runs?status=review", Ledger.Runs.class);
    if (stopped != null) {
      for (Ledger.Line run : stopped) {
        if (run.isQuarantined()) {
          server.post("/api/runs/" + run.id() + "/resume", KILLED_FROM_OUTSIDE);
        }
      }
    }
  }
}
