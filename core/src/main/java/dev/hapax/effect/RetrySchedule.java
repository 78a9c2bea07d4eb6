package dev.hapax.effect;

import dev.hapax.flow.RetryPolicy;
import dev.hapax.time.RandomSource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When the next attempt of an effect is due, and when the retries have ended. */
record RetrySchedule(RetryPolicy policy, RandomSource random) {

  /**
   * Null if the retries have ended. A time that the destination asked for is honoured within the
   * policy's bounds.
   */
  @Nullable Instant next(EffectProgress progress, Instant now, @Nullable Duration retryAfter) {
    if (isSpent(progress, now)) {
      return null;
    }
    Duration delay = delay(progress);
    Instant next =
        now.plus(retryAfter != null && retryAfter.compareTo(delay) > 0 ? retryAfter : delay);
    return next.isAfter(end(progress)) ? null : next;
  }

  boolean isSpent(EffectProgress progress, Instant now) {
    return progress.attemptsInBudget() >= policy.attempts() || isOver(progress, now);
  }

  private boolean isOver(EffectProgress progress, Instant now) {
    return now.isAfter(end(progress));
  }

  Duration delay(EffectProgress progress) {
    return policy.delayAfter(Math.max(1, progress.attemptsInBudget()), random.nextDouble());
  }

  private Instant end(EffectProgress progress) {
    return progress.budgetSince().plus(policy.within());
  }
}
