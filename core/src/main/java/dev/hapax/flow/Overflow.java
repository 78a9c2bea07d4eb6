package dev.hapax.flow;

import java.util.Locale;

/** What happens to a start that finds every slot of its flow's concurrency limit taken. */
public enum Overflow {
  /** It is accepted and waits in line, in order of arrival. */
  QUEUE,
  /** It is refused: no run is made and its key stays unused. */
  REJECT,
  /**
   * It waits in line, and the oldest runs are asked to cancel until no more than the limit are
   * left: the newest runs win, whether the older ones run or wait.
   */
  CANCEL_RUNNING;

  private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

  public String word() {
    return word;
  }
}
