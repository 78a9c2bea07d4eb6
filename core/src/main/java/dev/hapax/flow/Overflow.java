package dev.hapax.flow;

import java.util.Locale;

/** What happens to a start if all slots of its flow's concurrency limit are taken. */
public enum Overflow {
  /** The run is accepted and waits in line, in order of arrival. */
  QUEUE,
  /** The start is refused: no run is created and its key stays unused. */
  REJECT,
  /**
   * The run waits in line, and the oldest runs are asked to cancel until no more than the limit are
   * left. The newest runs win, whether the older ones run or wait.
   */
  CANCEL_RUNNING;

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  public String word() {
    return word;
  }
}
