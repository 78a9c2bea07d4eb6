package dev.hapax.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a wait hears an answer or its own expiry: the first settles it, every other hears the first.
 * Pure, and called by every store inside its transaction, so that all stores answer alike.
 *
 * @param after the wait as it is now
 * @param changes whether that is news: then it is written, and the run that waits is woken
 * @param isFirst whether the answer is the one that decided
 */
public record WaitRule(Wait after, boolean changes, boolean isFirst) {
  /** More are answered like these, and not kept: whoever has a token must not fill the store. */
  public static final int MOST_LATER_ANSWERS = 100;

  /**
   * An answer from outside. Past the expiry it decides nothing, also if nobody has noted the expiry
   * yet: what counts is when it came, not who was faster.
   */
  public static WaitRule answer(
      Wait wait, String decision, @Nullable String by, long op, Instant at) {
    if (isBy(wait, op)) {
      return new WaitRule(wait, false, wait.state() == Wait.State.DECIDED);
    }
    if (!wait.isOpen() || wait.isExpiredAt(at)) {
      return expire(wait, op, at);
    }
    return new WaitRule(wait.settled(Wait.State.DECIDED, op, decision, by, at), true, true);
  }

  /** Its time may be over: only if nobody has decided. */
  public static WaitRule expire(Wait wait, long op, Instant at) {
    if (!wait.isOpen() || !wait.isExpiredAt(at)) {
      return new WaitRule(wait, false, false);
    }
    return new WaitRule(
        wait.settled(Wait.State.EXPIRED, op, wait.onExpire(), null, at), true, false);
  }

  private static boolean isBy(Wait wait, long op) {
    Long settledBy = wait.op();
    return settledBy != null && settledBy == op;
  }

  /** Whether an answer is to be kept among those that came too late. */
  public boolean isLater() {
    return !isFirst && !after.isOpen() && after.laterAnswers() < MOST_LATER_ANSWERS;
  }

  public Answer.Heard heard() {
    return new Answer.Heard(
        after.number(), after.state(), after.decision(), after.by(), after.settledAt(), isFirst);
  }
}
