package dev.hapax.testkit.simulation;

import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The clocks of one machine: the monotonic one follows true time; the wall clock can be set, and
 * may run a little faster or slower.
 */
final class SimulatedClock implements Clock {
  static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

  private final Scheduler scheduler;
  private Duration ahead = Duration.ZERO;
  private Duration farthest = Duration.ZERO;
  private Duration stoodStill = Duration.ZERO;
  private long perMillion;
  private long driftsSince;

  SimulatedClock(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public Instant now() {
    return BEGINNING.plusNanos(scheduler.nanos()).plus(ahead());
  }

  /** Returns a time that is not behind any that the wall clock has shown. */
  Instant newest() {
    remember(ahead());
    return BEGINNING.plusNanos(scheduler.nanos()).plus(farthest);
  }

  @Override
  public long nanos() {
    return scheduler.nanos() - stoodStill.toNanos();
  }

  /** The machine was suspended for this long, and its monotonic clock with it. */
  void stoodStill(Duration time) {
    stoodStill = stoodStill.plus(time);
  }

  /** Sets the wall clock to differ from the true time by this much. */
  void differBy(Duration time) {
    jump(time.minus(ahead()));
  }

  /**
   * Sets the wall clock right. A machine that starts takes the time from the network, and that time
   * is not behind the time seen there before. The engine's windows depend on this: a process that
   * returns to a clock that was set back meanwhile cannot know how long it was gone.
   */
  void beRight() {
    jump(Duration.ZERO);
    ahead = farthest;
    perMillion = 0;
  }

  void jump(Duration by) {
    remember(ahead());
    ahead = ahead().plus(by);
    driftsSince = scheduler.nanos();
    remember(ahead);
  }

  /** Makes the wall clock gain this much from now on, or lose it. */
  void drift(int partsPerMillion) {
    jump(Duration.ZERO);
    perMillion = partsPerMillion;
  }

  private Duration ahead() {
    return ahead.plusNanos((scheduler.nanos() - driftsSince) / 1_000_000 * perMillion);
  }

  private void remember(Duration seen) {
    farthest = seen.compareTo(farthest) > 0 ? seen : farthest;
  }
}
