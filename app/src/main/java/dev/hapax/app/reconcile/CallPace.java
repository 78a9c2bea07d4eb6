package dev.hapax.app.reconcile;

import dev.hapax.flow.RunContext;
import dev.hapax.flows.step.EffectLookup;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many calls a reconciliation makes at a time, and how long it then rests.
 *
 * @param calls at a time
 * @param apart the time between two calls, on average
 */
record CallPace(int calls, Duration apart) {
  static final int USUAL = 10;
  static final int MOST = 1_000;
  private static final int MOST_AT_A_TIME = 50;

  /** The slower of what people want and what the connection of the lookup allows. */
  static CallPace of(@Nullable Integer rate, @Nullable EffectLookup lookup) {
    int wanted = rate == null ? USUAL : rate;
    Duration apart = Duration.ofSeconds(1).dividedBy(wanted);
    Duration least = lookup == null ? Duration.ZERO : lookup.apart();
    Duration longer = least.compareTo(apart) > 0 ? least : apart;
    long perSecond = Math.max(1, Duration.ofSeconds(1).dividedBy(longer));
    return new CallPace((int) Math.min(MOST_AT_A_TIME, perSecond), longer);
  }

  /** Rests after so many calls, so that no more than wanted are made in a second. */
  void rest(RunContext round, int made) {
    if (made > 0) {
      round.sleep("pace", apart.multipliedBy(made));
    }
  }
}
