package dev.hapax.app.ui;

import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A wall clock that begins in the past and is moved towards the present. Safe for many threads. */
final class PastClock implements Clock {
  private final Clock clock = Ports.system().clock();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Duration behind;

  PastClock(Duration behind) {
    this.behind = behind;
  }

  /** Moves the clock to where it is so far behind the present. */
  void isBehind(Duration now) {
    behind = now;
    listeners.forEach(Runnable::run);
  }

  @Override
  public Instant now() {
    return clock.now().minus(behind);
  }

  @Override
  public long nanos() {
    return clock.nanos();
  }

  @Override
  public void whenMoved(Runnable listener) {
    listeners.add(listener);
  }
}
