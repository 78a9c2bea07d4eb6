package dev.hapax.flow;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may decide an approval, beside its roles.
 *
 * @param notByStarter whether the caller who started the run is refused
 * @param needsToken whether an actor who only claims an identity, as behind a link, is refused
 */
public record DeciderLimits(boolean notByStarter, boolean needsToken) {
  public static final DeciderLimits NONE = new DeciderLimits(false, false);

  /** Returns whether the identity of the actor must be proven. */
  public boolean needsProof() {
    return notByStarter || needsToken;
  }

  /** Returns the limits for people; null if there are none. */
  public @Nullable String text() {
    List<String> parts = new ArrayList<>();
    if (notByStarter) {
      parts.add("not by the starter of the run");
    }
    if (needsProof()) {
      parts.add("only with a token");
    }
    return parts.isEmpty() ? null : String.join(", ", parts);
  }
}
