package dev.hapax.effect;

import dev.hapax.flow.Guard;
import dev.hapax.limit.Comer;
import dev.hapax.limit.Turnstile;
import dev.hapax.limit.Turnstile.Entry;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.RunStatus;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How one effect comes to its destination: it gets its turn before its intent is written, so that
 * waiting costs no attempt and leaves no doubt, and gives its place back when the call is over. An
 * effect that names no destination goes at once.
 */
final class Access {
  private static final Duration ALONE = Duration.ofSeconds(1);

  /** Its run stays in memory anyhow while others beside it are at work. */
  private static final Duration BESIDE_OTHERS = Duration.ofSeconds(10);

  private final @Nullable Turnstile turnstile;
  private final EffectStep step;
  private final RunPort run;
  private final int turns;
  private Turnstile.@Nullable Pass pass;

  Access(@Nullable Turnstile turnstile, EffectStep step, RunPort run) {
    this.turnstile = turnstile;
    this.step = step;
    this.run = run;
    this.turns = step.guard() instanceof Guard.Lookup ? 2 : 1; // it looks before it sends
  }

  /**
   * Waits for its turn; the run leaves memory if that is far.
   *
   * @param givesUp whether it does not want to go any more; not asked if it can go at once
   * @return whether it has its turn
   */
  boolean await(BooleanSupplier givesUp) {
    return await(turns, givesUp);
  }

  /** For one call that settles a doubt, and so also if the run is to end. */
  void await() {
    await(1, () -> false);
  }

  private boolean await(int wanted, BooleanSupplier givesUp) {
    if (turnstile == null || pass != null) {
      return true;
    }
    Duration patience = run.isBesideOthers() ? BESIDE_OTHERS : ALONE;
    switch (turnstile.enter(comer(), wanted, patience, givesUp)) {
      case Entry.Passed(var p) -> pass = p;
      case Entry.GivenUp _ -> {}
      case Entry.Later(var at, var because, boolean isNews) -> {
        if (isNews) {
          run.add(new JournalEntry.TurnAwaited(step.step(), because, at));
        }
        throw run.park(RunStatus.WAITING, at);
      }
    }
    return pass != null;
  }

  /** It has begun, whoever was before it. */
  void goAnyway() {
    if (turnstile != null && pass == null) {
      pass = turnstile.goAnyway(turns);
    }
  }

  /** What a call has come to; a wish to be left alone is kept within the retries' bounds. */
  void heard(boolean isAnswer, @Nullable Duration retryAfter) {
    if (pass == null) {
      return;
    }
    if (retryAfter != null) {
      Duration most = step.effect().terms().retry().within();
      pass.pause(retryAfter.compareTo(most) < 0 ? retryAfter : most);
    }
    pass.heard(isAnswer);
  }

  /** The call is over, or was not made. */
  void leave() {
    if (pass != null) {
      pass.over();
      pass = null;
    }
  }

  private Comer comer() {
    return new Comer(run.identity().run(), step.step().toString());
  }
}
