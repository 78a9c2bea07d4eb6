package dev.hapax.flows.step;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Resources that a run has put during this stay in memory. They become durable with its next
 * commit, and a later step may need them before that. Safe for many threads.
 */
public final class RecentResources {
  private final Map<String, Value> values = new ConcurrentHashMap<>();
  private final @Nullable RecentResources outer;

  public RecentResources(@Nullable RecentResources outer) {
    this.outer = outer;
  }

  record Value(String text, String contentType) {}

  void put(String ref, String text, String contentType) {
    values.put(ref, new Value(text, contentType));
  }

  @Nullable Value get(String ref) {
    Value value = values.get(ref);
    return value != null || outer == null ? value : outer.get(ref);
  }
}
