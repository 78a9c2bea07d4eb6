package dev.hapax.trial.sandbox;

import java.time.Duration;

/** How a destination recognizes that it has done a request already. */
sealed interface Sameness {
  /** It changes nothing. */
  record Reading() implements Sameness {}

  /** It is done each time that it arrives. */
  record Never() implements Sameness {}

  /**
   * By a key, which is remembered for some time.
   *
   * @param keepsFailures whether also if the answer was a failure
   */
  record ByKey(String place, String key, Duration window, boolean keepsFailures)
      implements Sameness {}

  /** It brings something to a state; if that is its state already, nothing happens. */
  record ByState(String place, String state) implements Sameness {}
}
