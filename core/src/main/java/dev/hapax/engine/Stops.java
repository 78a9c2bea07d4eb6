package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.pass.RunPass;
import dev.hapax.engine.replay.Stopping;
import dev.hapax.flow.Run;
import dev.hapax.flow.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Stops runs in memory that are to end, and gives up bodies that do not return then. */
final class Stops {
  /** How long a body may take to return before its run is ended without it. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final EngineParts parts;
  private final RunsInMemory inMemory;

  Stops(EngineParts parts, RunsInMemory inMemory) {
    this.parts = parts;
    this.inMemory = inMemory;
  }

  /** Stops a run that has taken longer than its flow allows. */
  void timeOut(RunPass pass) {
    ask(pass, Stopping.Cause.TIMEOUT, null);
  }

  /**
   * Stops the run if it is to be canceled; its effects in doubt are settled first. Reads the
   * request from the run's row, so that a request that a retry has cleared meanwhile stops nothing.
   * A run that misses it learns of it at its next intent or at its end, which the store refuses.
   */
  void askIfWished(long run) {
    RunPass pass = inMemory.pass(run); // before the read: a later one has read its row itself
    if (pass == null || pass.isStopRequested()) {
      return; // it is due, and learns of it when it is taken up
    }
    try {
      Run stored = parts.store().run(run);
      Run.Cancel wish = stored == null ? null : stored.cancel();
      if (wish != null) {
        ask(pass, Stopping.Cause.CANCEL, wish);
      }
    } catch (StoreUnavailable e) {
      Instant then = parts.clock().now().plus(LOOK_AGAIN);
      parts
          .timer()
          .alarm(
              then,
              parts.ids().next(),
              () -> parts.guard().virtual("hapax-stop", () -> askIfWished(run)));
    }
  }

  private void ask(RunPass pass, Stopping.Cause why, Run.@Nullable Cancel wish) {
    pass.requestStop(why, wish);
    abandonLater(pass);
  }

  /** Looks again and again until the pass is over. */
  void abandonLater(RunPass pass) {
    Instant then = parts.clock().now().plus(GRACE);
    parts.timer().alarm(then, -pass.number(), () -> abandonBeside(pass));
  }

  private void abandonBeside(RunPass pass) {
    parts
        .guard()
        .virtual(
            "hapax-abandon",
            () -> {
              if (!pass.abandon()) {
                abandonLater(pass);
              }
            });
  }
}
