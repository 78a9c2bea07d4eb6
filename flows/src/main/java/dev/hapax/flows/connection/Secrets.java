package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.store.NoAnswer;
import java.util.Optional;

/** Secrets by name, stored elsewhere. Only connections use them: expressions cannot name them. */
@FunctionalInterface
public interface Secrets {
  Optional<String> value(String name);

  /** Returns the value, for a request that is about to be sent; it is hidden from now on. */
  default String use(String name, Redaction redaction) {
    Optional<String> found;
    try {
      found = value(name);
    } catch (NoAnswer e) {
      throw new NotApplied(
          "secret '%s' could not be read: nothing was sent. It is tried again.".formatted(name), e);
    }
    String value =
        found.orElseThrow(
            () ->
                new NotApplied(
                    "secret '%s' is not set: nothing was sent. Set it, then the step goes on."
                        .formatted(name)));
    redaction.hide(value);
    return value;
  }

  /** For flows that need none. */
  Secrets NONE = _ -> Optional.empty();
}
