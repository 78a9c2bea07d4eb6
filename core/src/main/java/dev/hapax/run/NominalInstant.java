package dev.hapax.run;

import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The instant in the key of a scheduled run, {@code schedule/<name>/<nominal instant>}. */
public final class NominalInstant {
  private static final String PREFIX = "schedule/";

  private NominalInstant() {}

  /** Null if the key is not of that form. */
  public static @Nullable Instant in(String key) {
    if (!key.startsWith(PREFIX)) {
      return null;
    }
    try {
      return Instant.parse(key.substring(key.lastIndexOf('/') + 1));
    } catch (DateTimeException e) {
      return null;
    }
  }
}
