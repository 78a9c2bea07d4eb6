package dev.hapax.flow;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A start that was stopped because its run existed: the caller got that run, and nothing was
 * started.
 *
 * @param caller the name of the token, the event and its source, or the run that called; null if
 *     unknown. Long ones are cut.
 */
public record StoppedDuplicate(Instant at, Door door, @Nullable String caller) {

  /** The way in. The words are stored. */
  public enum Door {
    /** A caller's start: HTTP, the command line, or Java. */
    START,
    /** An event, for example a webhook that was delivered again. */
    INBOX,
    /** Another run. */
    CHILD;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
