package dev.hapax.flow;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.hapax.json.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What people said to an approval.
 *
 * @param by who decided; null if nobody did before it expired
 * @param values JSON text of the values that they edited
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Decision(
    Choice decision, @Nullable String by, @Nullable String comment, @Nullable String values) {

  /** What can be said; the words are stored. */
  public enum Choice {
    @JsonProperty("approve")
    APPROVE,
    @JsonProperty("reject")
    REJECT,
    /** Another round, with the comment and the edited values. */
    @JsonProperty("rework")
    REWORK;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public boolean approves() {
    return decision == Choice.APPROVE;
  }

  /** The edited values as a type of yours; null if there are none. */
  public <T> @Nullable T values(Class<T> type) {
    String text = values;
    return text == null ? null : Json.read(text, type);
  }
}
