package dev.hapax.app.release;

import org.jspecify.annotations.Nullable;

/** Finds the trigger of a live release by the source of its events in the inbox. */
@FunctionalInterface
public interface EventOrigins {
  /** For servers whose events all come from elsewhere. */
  EventOrigins NONE = (_, _) -> null;

  /** Returns null if no live release has this source. */
  @Nullable EventOrigin find(String tenant, String source);

  /** Asks the other one if this one does not know the source. */
  default EventOrigins or(EventOrigins other) {
    return (tenant, source) -> {
      EventOrigin found = find(tenant, source);
      return found == null ? other.find(tenant, source) : found;
    };
  }
}
