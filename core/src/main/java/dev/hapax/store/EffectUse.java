package dev.hapax.store;

import java.time.Duration;

/**
 * A flow that uses effects of a name, and how long it wants them to be remembered after the end of
 * their runs.
 *
 * @param retention of the flow
 * @param window the longest time that the flow's own effects of this name ask for: the window of
 *     the destination, the redeliveries of the trigger, the retry period
 */
public record EffectUse(String flow, Duration retention, Duration window) {
  public Duration life() {
    return retention.compareTo(window) >= 0 ? retention : window;
  }
}
