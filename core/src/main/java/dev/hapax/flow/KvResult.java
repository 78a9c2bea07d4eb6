package dev.hapax.flow;

import dev.hapax.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * What the durable map says.
 *
 * @param json the value that stands there now, as JSON text; null if there is none
 * @param version of the entry that stands there now, for a compare-and-set; 0 if there is none
 * @param written whether this call wrote it, or deleted it
 */
public record KvResult(@Nullable String json, long version, boolean written) {

  /** Whether there is an entry. */
  public boolean isPresent() {
    return version != 0;
  }

  /** The value that stands there now; null if there is none, or if it is null. */
  public <T> @Nullable T value(Class<T> type) {
    return json == null || json.equals("null") ? null : Json.read(json, type);
  }
}
