package dev.hapax.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A run and the time at which it is to be taken up again, in milliseconds as stores keep it. */
public record Due(Instant at, long run) {

  /** Truncates the time, so that it is never later than the same time in a store. */
  public Due {
    at = at.truncatedTo(ChronoUnit.MILLIS);
  }
}
