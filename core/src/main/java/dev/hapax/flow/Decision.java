package dev.hapax.flow;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.hapax.json.Json;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The decision about an approval.
 *
 * @param by the actor; null if the approval expired
 * @param values that the actor edited, as JSON text
 * @param claimed true if the actor only says who they are, as behind a link; null if that is proven
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Decision(
    Choice decision,
    @Nullable String by,
    @Nullable String comment,
    @Nullable String values,
    @Nullable Boolean claimed) {

  /** A decision by an actor whose identity is proven, or without an actor. */
  public Decision(
      Choice decision, @Nullable String by, @Nullable String comment, @Nullable String values) {
    this(decision, by, comment, values, null);
  }

  /** Returns whether the actor only says who they are; not a getter, which would be stored. */
  public boolean onlyClaims() {
    return Boolean.TRUE.equals(claimed);
  }

  /** The possible decisions. Their words are stored. */
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

  /** Returns the edited values as your type; null if there are none. */
  public <T> @Nullable T values(Class<T> type) {
    String text = values;
    return text == null ? null : Json.read(text, type);
  }
}
