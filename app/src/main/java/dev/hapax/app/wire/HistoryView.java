package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.flow.HistoryEntry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One entry of a run's history, as JSON: its output is JSON too, and its error has parts. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HistoryView(
    long seq,
    Instant at,
    String type,
    @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable String step,
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
    @Nullable @JsonRawValue String output,
    @Nullable ErrorView error,
    @Nullable Instant waitUntil) {

  public static HistoryView of(HistoryEntry entry) {
    return new HistoryView(
        entry.seq(),
        entry.at(),
        entry.type(),
        entry.step(),
        entry.item(),
        entry.round(),
        entry.attempt(),
        entry.effect(),
        entry.key(),
        entry.wireKey(),
        entry.revision(),
        entry.guard(),
        entry.state(),
        entry.decision(),
        entry.evidence(),
        entry.reusedFrom(),
        entry.branch(),
        JsonText.raw(entry.output()),
        ErrorView.of(entry.reason()),
        entry.waitUntil());
  }
}
