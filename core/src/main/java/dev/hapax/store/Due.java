package dev.hapax.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A run and the time at which it is to be taken up again, in milliseconds as stores keep it. */
public record Due(Instant at, long run) {

  /** Whoever compares a time with one that a store has kept must not see a later one. */
  public Due {
    at = at.truncatedTo(ChronoUnit.MILLIS);
  }
}
