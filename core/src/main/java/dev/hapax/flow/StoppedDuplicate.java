package dev.hapax.flow;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A start that was stopped because its run existed, or an answer that was stopped because its run
 * had one. The caller got the run or the first answer, and nothing changed.
 *
 * @param caller the name of the token, the event and its source, the run that called, or the step
 *     and the person who answered; null if unknown. Long ones are cut.
 */
public record StoppedDuplicate(Instant at, Door door, @Nullable String caller) {

  /** The way in. The words are stored. */
  public enum Door {
    /** A caller's start: HTTP, the command line, or Java. */
    START,
    /** An event, for example a webhook that was delivered again. */
    INBOX,
    /** Another run. */
    CHILD,
    /** A callback or an approval that had its answer. */
    ANSWER;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
