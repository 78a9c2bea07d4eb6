package dev.hapax.flow;

import dev.hapax.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * The answer of the durable map.
 *
 * @param json the current value as JSON text; null if there is none
 * @param version of the current entry, for a compare-and-set; 0 if there is none
 * @param written whether this call wrote or deleted the entry
 */
public record KvResult(@Nullable String json, long version, boolean written) {

  /** Returns whether there is an entry. */
  public boolean isPresent() {
    return version != 0;
  }

  /** Returns the current value; null if there is none, or if it is null. */
  public <T> @Nullable T value(Class<T> type) {
    return json == null || json.equals("null") ? null : Json.read(json, type);
  }
}
