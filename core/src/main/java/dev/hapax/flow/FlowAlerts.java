package dev.hapax.flow;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The alerts that a flow asks for beside those of the engine.
 *
 * @param destination where its alerts go, also those that the engine would send elsewhere
 * @param waitingTooLong how long a callback or an approval may stay unanswered before people are
 *     alerted; null: as the engine says
 */
public record FlowAlerts(String destination, Set<Alert> which, @Nullable Duration waitingTooLong) {
  public FlowAlerts {
    Names.destination(destination);
    which = Set.copyOf(which);
    if (waitingTooLong != null) {
      Names.positive("waitingTooLong", waitingTooLong);
    }
    for (Alert alert : which) {
      if (alert.isOfNode()) {
        throw new IllegalArgumentException(
            "alerts of a flow: '%s' is about a server, set it there".formatted(alert.word()));
      }
    }
  }
}
