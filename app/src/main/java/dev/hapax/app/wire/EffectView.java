package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.flow.EffectRecord;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An effect as the ledger holds it.
 *
 * @param run the run that owns it, and alone may settle it
 * @param version a number, or a text
 * @param request as it was or will be sent, without secrets
 * @param evidence what is known about a doubt, a failure or a settlement
 */
public record EffectView(
    String id,
    String name,
    String key,
    String kind,
    String guard,
    String state,
    @Nullable String run,
    String step,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String item,
    @Nullable String externalId,
    int attempts,
    int revision,
    String wireKey,
    @Nullable Instant firstSentAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Object version,
    @Nullable @JsonRawValue String request,
    @Nullable @JsonRawValue String result,
    @Nullable String evidence) {

  public static EffectView of(EffectRecord row, @Nullable String run) {
    return new EffectView(
        row.id(),
        row.key().name(),
        row.key().shown(),
        row.kind().name().toLowerCase(Locale.ROOT),
        row.guard(),
        row.state().word(),
        run,
        row.step().name(),
        row.step().item(),
        row.externalId(),
        row.attempts(),
        row.revision(),
        row.wireKey(),
        row.firstSentAt(),
        row.version() == null ? null : row.version().asJson(),
        JsonText.raw(row.request()),
        JsonText.raw(row.result()),
        row.evidence());
  }
}
