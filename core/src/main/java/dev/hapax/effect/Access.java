package dev.hapax.effect;

import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.limit.DestinationLimiter.Entry;
import dev.hapax.limit.WaitingCall;
import dev.hapax.run.journal.RunEntry;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives one call its turn at its destination. An effect gets its turn before its intent is written,
 * so that waiting costs no attempt and leaves no doubt. It gives its place back when the call is
 * over. A call without a destination only waits if its tenant has too many calls under way.
 */
public final class Access {
  private static final Duration ALONE = Duration.ofSeconds(1);

  /** The run stays in memory anyway while its parallel fibers work. */
  private static final Duration BESIDE_OTHERS = Duration.ofSeconds(10);

  private final @Nullable DestinationLimiter limiter;
  private final @Nullable DestinationLimiter ofTenant;
  private final Step step;
  private final Duration within;
  private final RunPort run;
  private final int turns;
  private DestinationLimiter.@Nullable Pass pass;
  private DestinationLimiter.@Nullable Pass place;

  /**
   * A call that must wait for its turn.
   *
   * @param limiter of its destination; null if it has none
   * @param ofTenant of all calls of its tenant; null if they are not limited
   * @param turns how many calls it makes one after the other
   * @param within how long a pause that the destination asks for lasts at most
   */
  Access(
      @Nullable DestinationLimiter limiter,
      @Nullable DestinationLimiter ofTenant,
      Step step,
      int turns,
      Duration within,
      RunPort run) {
    this.limiter = limiter;
    this.ofTenant = ofTenant;
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
    if (limiter != null && pass == null) {
      pass = enter(limiter, wanted, givesUp);
      if (pass == null) {
        return false;
      }
    }
    return ofTenant == null || place != null || hasPlace(ofTenant, givesUp);
  }

  /** Its turn at the destination is for others while it waits for the calls of its tenant. */
  private boolean hasPlace(DestinationLimiter calls, BooleanSupplier givesUp) {
    try {
      place = enter(calls, 1, givesUp);
    } finally {
      if (place == null) {
        leave();
      }
    }
    return place != null;
  }

  private DestinationLimiter.@Nullable Pass enter(
      DestinationLimiter door, int wanted, BooleanSupplier givesUp) {
    Duration patience = run.isBesideOthers() ? BESIDE_OTHERS : ALONE;
    return switch (door.enter(waitingCall(), wanted, patience, givesUp)) {
      case Entry.Passed(var p) -> p;
      case Entry.GivenUp _ -> null;
      case Entry.Later(var at, var because, boolean isNews) -> {
        if (isNews) {
          run.add(new RunEntry.TurnAwaited(step, because, at));
        }
        throw run.park(RunStatus.WAITING, at);
      }
    };
  }

  /** Goes without waiting for its turn. */
  void goAnyway() {
    if (limiter != null && pass == null) {
      pass = limiter.goAnyway(turns);
    }
    if (ofTenant != null && place == null) {
      place = ofTenant.goAnyway(1);
    }
  }

  /** Notes the result of a call. A requested pause is kept within the retries' bounds. */
  void heard(boolean isAnswer, @Nullable Duration retryAfter) {
    if (place != null) {
      place.heard(true);
    }
    if (pass == null) {
      return;
    }
    if (retryAfter != null) {
      pass.pause(retryAfter.compareTo(within) < 0 ? retryAfter : within);
    }
    if (pass.heard(isAnswer) && limiter != null) {
      run.circuitOpened(step, limiter.what());
    }
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
    if (place != null) {
      place.over();
      place = null;
    }
  }

  private WaitingCall waitingCall() {
    return new WaitingCall(run.identity().run(), step.toString());
  }
}
