package dev.hapax.run.wait;

import dev.hapax.flow.WaitState;
import dev.hapax.run.journal.Answer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an answer or the expiry does to a wait: the first settles it, every later one gets
 * the first as its answer. Pure, and called by every store inside its transaction, so that all
 * stores answer alike.
 *
 * @param after the wait as it is now
 * @param changes whether the wait has changed: then it is written, and the run that waits is woken
 * @param isFirst whether the answer is the one that decided
 */
public record WaitRule(Wait after, boolean changes, boolean isFirst) {
  /** Further answers get the same reply and are not kept: a token must not fill the store. */
  public static final int MOST_LATER_ANSWERS = 100;

  /**
   * Decides an answer from outside. After the expiry it decides nothing, even if the expiry has not
   * been noted yet: the time of arrival counts, not the order of the commits.
   */
  public static WaitRule answer(
      Wait wait, String decision, @Nullable String by, long op, Instant at) {
    if (isBy(wait, op)) {
      return new WaitRule(wait, false, wait.state() == WaitState.DECIDED);
    }
    if (!wait.isOpen() || wait.isExpiredAt(at)) {
      return expire(wait, op, at);
    }
    return new WaitRule(wait.settled(WaitState.DECIDED, op, decision, by, at), true, true);
  }

  /** Expires the wait if its time is over and it is undecided. */
  public static WaitRule expire(Wait wait, long op, Instant at) {
    if (!wait.isOpen() || !wait.isExpiredAt(at)) {
      return new WaitRule(wait, false, false);
    }
    return new WaitRule(
        wait.settled(WaitState.EXPIRED, op, wait.onExpire(), null, at), true, false);
  }

  private static boolean isBy(Wait wait, long op) {
    Long settledBy = wait.op();
    return settledBy != null && settledBy == op;
  }

  /** Whether to keep the answer among those that came too late. */
  public boolean isLater() {
    return !isFirst && !after.isOpen() && after.laterAnswers() < MOST_LATER_ANSWERS;
  }

  public Answer.Heard heard() {
    return new Answer.Heard(
        after.number(), after.state(), after.decision(), after.by(), after.settledAt(), isFirst);
  }
}
