package dev.hapax.app.demo;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The person who releases invoices, and who presses the button twice to be sure. */
final class Clerk {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Object YES = Map.of("decision", "approve", "comment", "looks right");

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
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
