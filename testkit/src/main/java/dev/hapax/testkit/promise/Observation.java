package dev.hapax.testkit.promise;

import dev.hapax.run.Wait;
import org.jspecify.annotations.Nullable;

/** What somebody outside has seen of a feature. Each promise reads the kinds that it is about. */
public sealed interface Observation {
  /** What they were told, if they asked something. */
  default Call.@Nullable Answer told() {
    return null;
  }

  /**
   * Somebody answered a run that waits, and was told how the wait stands.
   *
   * @param number of the wait; 0 if the store had none when the token was outside already
   * @param said JSON text
   * @param told UNKNOWN if the node died before it answered
   * @param state null if nothing was told
   * @param heard JSON text of what decided
   */
  record WaitAnswered(
      long number,
      String said,
      Call.Answer told,
      Wait.@Nullable State state,
      boolean isFirst,
      @Nullable String heard)
      implements Observation {
    /** Refused, or nobody knows. */
    public static WaitAnswered unheard(long number, String said, Call.Answer told) {
      return new WaitAnswered(number, said, told, null, false, null);
    }
  }

  /** Code of a section under a lock was at work; in the order in which it was. */
  record LockUsed(String key, long fence, String run) implements Observation {}

  /** A message arrived, perhaps again. */
  record MessageArrived(String id, String content) implements Observation {}

  /** Somebody answered with a token that nobody handed out. */
  record StrangerAnswered(Call.Answer told) implements Observation {}
}
