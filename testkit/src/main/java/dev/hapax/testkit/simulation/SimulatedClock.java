package dev.hapax.testkit.simulation;

import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** The clocks of one machine: the wall clock can be set, the monotonic one follows true time. */
final class SimulatedClock implements Clock {
  static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

  private final Scheduler scheduler;
  private Duration ahead = Duration.ZERO;
  private Duration farthest = Duration.ZERO;

  SimulatedClock(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public Instant now() {
    return BEGINNING.plusNanos(scheduler.nanos()).plus(ahead);
  }

  @Override
  public long nanos() {
    return scheduler.nanos();
  }

  /**
   * A machine that starts takes the time from the network, and it is not behind what was seen there
   * before. The engine's windows rest on this: a process that comes back to a clock that was set
   * back meanwhile cannot know how long it was gone.
   */
  void beRight() {
    ahead = farthest;
  }

  void jump(Duration by) {
    ahead = ahead.plus(by);
    farthest = ahead.compareTo(farthest) > 0 ? ahead : farthest;
  }
}
