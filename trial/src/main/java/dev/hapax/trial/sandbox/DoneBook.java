package dev.hapax.trial.sandbox;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the destinations have done, and what they remember of it. Not safe for many threads. */
final class DoneBook {
  private record Remembered(Instant until, Content content) {}

  private final Map<Sameness.ByKey, Remembered> keys = new HashMap<>();
  private final Map<String, String> states = new HashMap<>();

  /** Returns the answer to the first request with this key, if it is remembered; else null. */
  @Nullable Content known(Sameness sameness, Instant now) {
    if (!(sameness instanceof Sameness.ByKey key)) {
      return null;
    }
    Remembered first = keys.get(key);
    return first == null || first.until().isBefore(now) ? null : first.content();
  }

  /** Does a request that arrives; returns whether it changed anything. */
  boolean apply(Sameness sameness, Content content, Instant now) {
    return switch (sameness) {
      case Sameness.Reading() -> false;
      case Sameness.Never() -> true;
      case Sameness.ByKey key -> {
        if (known(key, now) != null) {
          yield false;
        }
        if (key.keepsFailures() || content.status() < 400) {
          keys.put(key, new Remembered(now.plus(key.window()), content));
        }
        yield true;
      }
      case Sameness.ByState(var place, var state) -> !state.equals(states.put(place, state));
    };
  }
}
