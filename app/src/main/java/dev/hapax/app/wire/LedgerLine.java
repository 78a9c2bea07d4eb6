package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.LedgerRow;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A row of the ledger in an export, which an import takes.
 *
 * @param state left out for an effect that is done
 * @param run only of an additive effect
 * @param version a number, or a text
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LedgerLine(
    String name,
    String key,
    String kind,
    @Nullable String state,
    int revision,
    @Nullable String run,
    @Nullable String externalId,
    @Nullable @JsonRawValue String output,
    @Nullable Object version,
    @Nullable Instant at,
    @Nullable String note) {
  /** The members in the order of an export. */
  public static final String CSV_HEAD =
      "name,key,kind,state,revision,run,externalId,output,version,at,note";

  public static LedgerLine of(LedgerRow row) {
    return new LedgerLine(
        row.name(),
        row.key(),
        row.kind().name().toLowerCase(Locale.ROOT),
        row.state() == EffectState.DONE ? null : row.state().word(),
        row.revision(),
        row.run(),
        row.externalId(),
        JsonText.raw(row.output()),
        row.version() == null ? null : row.version().asJson(),
        row.at(),
        row.note());
  }

  /** Returns the row as a line of CSV, with its end. */
  public String csv() {
    var line = new StringBuilder();
    for (Object field :
        new @Nullable Object[] {
          name, key, kind, state, revision, run, externalId, output, version, at, note
        }) {
      line.append(line.isEmpty() ? "" : ",").append(quoted(field));
    }
    return line.append('\n').toString();
  }

  /** A text in quotes is never taken for an absent one, and spreadsheets compute nothing. */
  private static String quoted(@Nullable Object field) {
    return field == null ? "" : "\"" + field.toString().replace("\"", "\"\"") + "\"";
  }
}
