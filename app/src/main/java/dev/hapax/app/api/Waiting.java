package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.RunCanceled;
import dev.hapax.RunErased;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.RunInReview;
import dev.hapax.RunUnfinished;
import dev.hapax.flow.Run;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for runs on behalf of callers, but not past the end of the server. */
public final class Waiting {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Clock clock;
  private final BooleanSupplier isClosing;

  public Waiting(Clock clock, BooleanSupplier isClosing) {
    this.clock = clock;
    this.isClosing = isClosing;
  }

  /** Returns the run at its end, in review, or as it is when the time is over. */
  public Run await(Hapax hapax, RunHandle<?> handle, Duration atMost) {
    long end = clock.nanos() + atMost.toNanos();
    for (long left = atMost.toNanos(); left > 0 && !isClosing.getAsBoolean(); ) {
      if (hasCome(handle, Duration.ofNanos(Math.min(left, LOOK.toNanos())))) {
        break;
      }
      left = end - clock.nanos();
    }
    return hapax.run(handle.id());
  }

  private static boolean hasCome(RunHandle<?> handle, Duration atMost) {
    try {
      handle.await(atMost);
      return true;
    } catch (RunUnfinished e) {
      return false;
    } catch (RunFailed | RunInReview | RunCanceled | RunErased e) {
      return true; // the run's record says which
    }
  }
}
