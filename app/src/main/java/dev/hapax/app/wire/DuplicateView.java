package dev.hapax.app.wire;

import dev.hapax.flow.StoppedDuplicate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A start that was stopped because its run existed, or an answer that was stopped because the run
 * had one.
 *
 * @param door start, inbox, child or answer
 * @param caller the name of the token, the event and its source, the run that called, or the step
 *     and the person who answered
 */
public record DuplicateView(Instant at, String door, @Nullable String caller) {

  public static DuplicateView of(StoppedDuplicate stopped) {
    return new DuplicateView(stopped.at(), stopped.door().word(), stopped.caller());
  }
}
