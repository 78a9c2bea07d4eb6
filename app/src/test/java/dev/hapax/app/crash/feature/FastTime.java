package dev.hapax.app.crash.feature;

import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A machine on which a minute takes a tenth of a second, so that a process that lives for a second
 * sees waits end, approvals expire, schedules fire and retention at work with the periods that
 * these have. All processes of a test count from the same beginning.
 */
final class FastTime {
  private static final int FACTOR = 600;

  private FastTime() {}

  static Ports from(Instant beginning) {
    Ports machine = Ports.system();
    return new Ports(
        new FastClock(machine.clock(), beginning),
        machine.random(),
        new FastThreads(machine.threads()));
  }

  private record FastClock(Clock clock, Instant beginning) implements Clock {
    @Override
    public Instant now() {
      return beginning.plus(Duration.between(beginning, clock.now()).multipliedBy(FACTOR));
    }

    @Override
    public long nanos() {
      return clock.nanos() * FACTOR;
    }
  }

  private record FastThreads(Threads threads) implements Threads {
    @Override
    public Handle virtual(String name, Runnable body) {
      return threads.virtual(name, body);
    }

    @Override
    public Handle platform(String name, Runnable body) {
      return threads.platform(name, body);
    }

    @Override
    public Signal signal() {
      return new FastSignal(threads.signal());
    }
  }

  private record FastSignal(Signal signal) implements Signal {
    @Override
    public void raise() {
      signal.raise();
    }

    @Override
    public boolean isRaised() {
      return signal.isRaised();
    }

    @Override
    public void await() {
      signal.await();
    }

    @Override
    public boolean await(Duration atMost) {
      return signal.await(atMost.dividedBy(FACTOR));
    }

    @Override
    public boolean awaitInterruptibly(@Nullable Duration atMost) throws InterruptedException {
      return signal.awaitInterruptibly(atMost == null ? null : atMost.dividedBy(FACTOR));
    }
  }
}
