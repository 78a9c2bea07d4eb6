package dev.hapax.effect;

import dev.hapax.store.StoreBroken;
import dev.hapax.time.Clock;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Until when this node's runs are its own for certain. Asked directly before the first byte of an
 * attempt: past it another node may have taken the run over, so nothing is sent until the lease has
 * been renewed. By the monotonic and the wall clock, because the first stands still while a machine
 * is suspended. Safe for many threads.
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

  /** How to ask for a renewal before its time. */
  public void renewedBy(Runnable renewal) {
    renewSoon = renewal;
  }

  /** The moment before a renewal is sent, from which it counts. */
  public Renewal renewal() {
    return new Renewal(clock.nanos(), clock.now());
  }

  /** A renewal on its way. */
  public final class Renewal {
    private final long nanos;
    private final Instant wall;

    private Renewal(long nanos, Instant wall) {
      this.nanos = nanos;
      this.wall = wall;
    }

    /** It has arrived, and holds this long from when it was sent. */
    public void holdsFor(Duration time) {
      term = new Term(nanos + time.toNanos(), wall.plus(time));
      tell();
    }
  }

  /** Nothing is sent any more, and whoever waits hears why. */
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
   * Returns when the lease holds for certain.
   *
   * @throws StoreBroken if it never will again
   */
  void await() {
    while (true) {
      Signal next = changed; // before the look, so that what changes after it is not missed
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
