package dev.hapax.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One line of a run's history, as in the public contract. Output is JSON text. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HistoryEntry(
    long seq,
    Instant at,
    String type,
    @Nullable String step,
    @Nullable String item,
    @Nullable Integer round,
    @Nullable Integer attempt,
    @Nullable String effect,
    @Nullable String key,
    @Nullable String wireKey,
    @Nullable Integer revision,
    @Nullable String guard,
    @Nullable String state,
    @Nullable String decision,
    @Nullable String evidence,
    @Nullable String reusedFrom,
    @Nullable String branch,
    @Nullable String output,
    @Nullable String error,
    @Nullable Instant waitUntil,
    @Nullable String externalId) {

  /** Returns a sentence for people. */
  @Override
  public String toString() {
    var text = new StringBuilder(type);
    append(text, " step ", step);
    append(text, " item ", item);
    append(text, " round ", round);
    append(text, " attempt ", attempt);
    append(text, " key ", key);
    append(text, " revision ", revision);
    append(text, " reused from run ", reusedFrom);
    append(text, " takes ", branch);
    append(text, ": ", decision);
    append(text, " (", evidence == null ? null : evidence + ")");
    append(text, " until ", waitUntil);
    append(text, " external id ", externalId);
    append(text, " -> ", output);
    append(text, " failed: ", error);
    return text.toString();
  }

  private static void append(StringBuilder text, String label, @Nullable Object value) {
    if (value != null) {
      text.append(label).append(value);
    }
  }
}
