package dev.hapax.app.crash.blueprint;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The people: an editor who sends every video back once and presses each button twice, and a person
 * on call who looks into the books for every effect in review, and resumes runs that are in
 * quarantine only because the server was killed around them.
 */
final class Operator implements Runnable {
  private static final long PAUSE_NANOS = 150_000_000;

  private final Door door;
  private final List<Blueprint> blueprints;
  final AtomicInteger settled = new AtomicInteger();
  final AtomicInteger resumed = new AtomicInteger();
  final Set<String> problems = ConcurrentHashMap.newKeySet();

  Operator(Door door, List<Blueprint> blueprints) {
    this.door = door;
    this.blueprints = blueprints;
  }

  @Override
  public void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        decide();
        settle();
        resume();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void decide() throws InterruptedException {
    for (JsonNode question : door.all("/api/approvals?state=open")) {
      Map<String, Object> decision =
          Videos.isFirst(question.path("ask").asString())
              ? Map.of(
                  "decision",
                  "rework",
                  "comment",
                  "too dark",
                  "values",
                  Map.of("script", Videos.BETTER))
              : Map.of("decision", "approve");
      String path = "/api/approvals/" + question.path("id").asString();
      door.post(path, decision);
      door.post(path, decision);
    }
  }

  private void settle() throws InterruptedException {
    for (JsonNode effect : door.all("/api/effects?state=review")) {
      String seen = look(effect.path("name").asString(), effect.path("key").asString());
      if (seen == null) {
        problems.add("nobody expected this to be in review: " + effect);
      } else {
        Map<String, String> decision =
            seen.isEmpty()
                ? Map.of("decision", "not-happened", "reason", "it is not in the books")
                : Map.of("decision", "happened", "reason", "in the books", "externalId", seen);
        if (door.post("/api/effects/%s/settle".formatted(effect.path("id").asString()), decision)
                .status()
            < 300) {
          settled.incrementAndGet();
        }
      }
    }
  }

  private @Nullable String look(String effect, String key) {
    for (Blueprint blueprint : blueprints) {
      String seen = blueprint.look(effect, key);
      if (seen != null) {
        return seen;
      }
    }
    return null;
  }

  private void resume() throws InterruptedException {
    for (JsonNode run : door.all("/api/runs?status=review")) {
      if (run.at("/error/code").asString("").equals("quarantined")) {
        door.post(
            "/api/runs/%s/resume".formatted(run.path("id").asString()),
            Map.of("reason", "the server was killed, and not by this run"));
        resumed.incrementAndGet();
      }
    }
  }
}
