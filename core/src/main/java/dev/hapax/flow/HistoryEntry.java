package dev.hapax.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One line of a run's history. Output is JSON text. */
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
    @Nullable Reason reason,
    @Nullable Instant waitUntil,
    @Nullable String externalId) {

  /** Why something failed. */
  public record Reason(String code, String message) {
    @Override
    public String toString() {
      return code + ": " + message;
    }
  }

  /** Returns the code and the message of the reason; null if nothing failed. */
  public @Nullable String error() {
    return reason == null ? null : reason.toString();
  }

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
    append(text, " failed: ", reason);
    return text.toString();
  }

  private static void append(StringBuilder text, String label, @Nullable Object value) {
    if (value != null) {
      text.append(label).append(value);
    }
  }
}
