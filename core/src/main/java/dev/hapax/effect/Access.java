package dev.hapax.effect;

import dev.hapax.limit.DestinationLimiter;
import dev.hapax.limit.DestinationLimiter.Entry;
import dev.hapax.limit.WaitingCall;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Step;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives one call its turn at its destination. An effect gets its turn before its intent is written,
 * so that waiting costs no attempt and leaves no doubt. It gives its place back when the call is
 * over. A call without a destination goes at once.
 */
public final class Access {
  private static final Duration ALONE = Duration.ofSeconds(1);

  /** The run stays in memory anyway while its parallel fibers work. */
  private static final Duration BESIDE_OTHERS = Duration.ofSeconds(10);

  private final @Nullable DestinationLimiter limiter;
  private final Step step;
  private final Duration within;
  private final RunPort run;
  private final int turns;
  private DestinationLimiter.@Nullable Pass pass;

  /**
   * A call that must wait for its turn.
   *
   * @param turns how many calls it makes one after the other
   * @param within how long a pause that the destination asks for lasts at most
   */
  Access(@Nullable DestinationLimiter limiter, Step step, int turns, Duration within, RunPort run) {
    this.limiter = limiter;
    this.step = step;
    this.turns = turns;
    this.within = within;
    this.run = run;
  }

  /**
   * Waits for its turn; the run is unloaded if the turn is far away.
   *
   * @param givesUp whether it no longer wants its turn; not called if it can go at once
   * @return whether it has its turn
   */
  public boolean await(BooleanSupplier givesUp) {
    return await(turns, givesUp);
  }

  /** Waits for one call that settles a doubt, also if the run is to end. */
  void await() {
    await(1, () -> false);
  }

  private boolean await(int wanted, BooleanSupplier givesUp) {
    if (limiter == null || pass != null) {
      return true;
    }
    Duration patience = run.isBesideOthers() ? BESIDE_OTHERS : ALONE;
    switch (limiter.enter(waitingCall(), wanted, patience, givesUp)) {
      case Entry.Passed(var p) -> pass = p;
      case Entry.GivenUp _ -> {}
      case Entry.Later(var at, var because, boolean isNews) -> {
        if (isNews) {
          run.add(new JournalEntry.TurnAwaited(step, because, at));
        }
        throw run.park(RunStatus.WAITING, at);
      }
    }
    return pass != null;
  }

  /** Goes without waiting for its turn. */
  void goAnyway() {
    if (limiter != null && pass == null) {
      pass = limiter.goAnyway(turns);
    }
  }

  /** Notes the result of a call. A requested pause is kept within the retries' bounds. */
  void heard(boolean isAnswer, @Nullable Duration retryAfter) {
    if (pass == null) {
      return;
    }
    if (retryAfter != null) {
      pass.pause(retryAfter.compareTo(within) < 0 ? retryAfter : within);
    }
    pass.heard(isAnswer);
  }

  /** Notes the result of a call that reads: null if it returned. */
  public void heard(@Nullable Exception thrown) {
    AnswerMeaning answer = thrown == null ? null : AnswerMeaning.of(thrown);
    if (answer instanceof AnswerMeaning.NotCalled) {
      return; // this says nothing about the destination
    }
    heard(answer == null || answer.isAnswer(), answer == null ? null : answer.retryAfter());
  }

  /** The call is over, or was not made. */
  public void leave() {
    if (pass != null) {
      pass.over();
      pass = null;
    }
  }

  private WaitingCall waitingCall() {
    return new WaitingCall(run.identity().run(), step.toString());
  }
}
