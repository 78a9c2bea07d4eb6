package dev.hapax.testkit;

import dev.hapax.flow.HistoryEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads from histories how each effect was settled, by the key on the wire. */
final class SettledEffects {
  private final Map<String, String> settledBy = new HashMap<>();
  private final Set<String> doubted = new HashSet<>();
  private final Set<String> reviewed = new HashSet<>();
  private final Map<String, String> helped = new HashMap<>();

  void read(List<HistoryEntry> history) {
    for (HistoryEntry entry : history) {
      String key = entry.wireKey();
      if (key != null) {
        read(entry, key);
      }
    }
  }

  private void read(HistoryEntry entry, String key) {
    String decision = String.valueOf(entry.decision());
    switch (entry.type()) {
      case "doubt" -> doubted.add(key);
      case "review", "review-first" -> {
        doubted.add(key);
        reviewed.add(key);
      }
      case "absent" -> helped.put(key, "lookup");
      case "settled" -> {
        helped.put(key, "person");
        if (!decision.startsWith("not-happened")) {
          settledBy.put(key, "person");
        }
      }
      case "skipped" -> settledBy.put(key, "skip");
      case "failed" -> settledBy.put(key, "failure");
      case "done" -> settledBy.put(key, done(decision, key, String.valueOf(entry.guard())));
      default -> {}
    }
  }

  private String done(String decision, String key, String guard) {
    if (decision.startsWith("found")) {
      return "lookup";
    }
    if (decision.equals("answered late")) {
      return "late answer";
    }
    if (!doubted.contains(key)) {
      return "answer";
    }
    String help = helped.get(key);
    return help != null ? help : byGuard(guard);
  }

  /** What makes it safe to send again, or that nothing does. */
  private static String byGuard(String guard) {
    return switch (guard) {
      case "keyed" -> "key";
      case "upsert" -> "same content";
      case "transaction" -> "marker";
      case "none" -> "repeat";
      default -> guard;
    };
  }

  /** Returns a word for what settled it; null if it is not settled. */
  @Nullable String by(String wireKey) {
    return settledBy.get(wireKey);
  }

  boolean isReviewed(String wireKey) {
    return reviewed.contains(wireKey);
  }
}
