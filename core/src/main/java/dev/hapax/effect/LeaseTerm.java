package dev.hapax.effect;

import dev.hapax.flow.StoreBroken;
import dev.hapax.time.Clock;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time until which this node certainly owns its runs. It is checked directly before the first
 * byte of an attempt. After it, another node may have taken the run over, so nothing is sent until
 * the lease has been renewed. Uses the monotonic and the wall clock, because the first stops while
 * a machine is suspended. Safe for many threads.
 */
public final class LeaseTerm {
  private final Clock clock;
  private final Threads threads;
  private volatile @Nullable Term term; // null where no lease is needed
  private volatile Runnable renewSoon = () -> {};
  private volatile Signal changed;
  private volatile @Nullable RuntimeException lost;

  private record Term(long nanos, Instant wall) {}

  public LeaseTerm(Clock clock, Threads threads) {
    this.clock = clock;
    this.threads = threads;
    this.changed = threads.signal();
  }

  /** Sets how to ask for an early renewal. */
  public void renewedBy(Runnable renewal) {
    renewSoon = renewal;
  }

  /** Notes the time before a renewal is sent; the lease counts from there. */
  public Renewal renewal() {
    return new Renewal(clock.nanos(), clock.now());
  }

  /** A renewal under way. */
  public final class Renewal {
    private final long nanos;
    private final Instant wall;

    private Renewal(long nanos, Instant wall) {
      this.nanos = nanos;
      this.wall = wall;
    }

    /** The renewal has arrived, and holds this long from when it was sent. */
    public void holdsFor(Duration time) {
      term = new Term(nanos + time.toNanos(), wall.plus(time));
      tell();
    }
  }

  /** Stops all sending; threads that wait get this cause. */
  public void lost(RuntimeException why) {
    lost = why;
    tell();
  }

  private void tell() {
    Signal before = changed;
    changed = threads.signal();
    before.raise();
  }

  private boolean holds() {
    Term present = term;
    return present == null
        || (clock.nanos() - present.nanos() < 0 && clock.now().isBefore(present.wall()));
  }

  /**
   * Returns when the lease certainly holds.
   *
   * @throws StoreBroken if it never will again
   */
  void await() {
    while (true) {
      Signal next = changed; // before the check, so that no later change is missed
      RuntimeException why = lost;
      if (why != null) {
        throw new StoreBroken("nothing was sent: " + why.getMessage(), why);
      }
      if (holds()) {
        return;
      }
      renewSoon.run();
      next.await();
    }
  }
}
