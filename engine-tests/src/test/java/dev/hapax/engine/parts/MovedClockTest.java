package dev.hapax.engine.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Clock;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A clock that a person moves wakes the timer, which otherwise looks only every few seconds. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MovedClockTest {
  private static final Duration THREE_DAYS = Duration.ofDays(3);

  private final ManualTime time = new ManualTime(); // its waits end only when it is moved: never
  private final Hands hands = new Hands();
  private final Sleeps sleeps = new Sleeps();
  private final BlockingQueue<String> rung = new LinkedBlockingQueue<>();
  private final Timer timer =
      new Timer(new MemoryStore(), hands, sleeps, _ -> {}, new ThreadGuard(sleeps, _ -> {}));

  /** The clock that a person moves. */
  private final class Hands implements Clock {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Duration ahead = Duration.ZERO;

    void move(Duration by) {
      ahead = ahead.plus(by);
      listeners.forEach(Runnable::run);
    }

    @Override
    public Instant now() {
      return time.now().plus(ahead);
    }

    @Override
    public long nanos() {
      return time.nanos();
    }

    @Override
    public void whenMoved(Runnable listener) {
      listeners.add(listener);
    }
  }

  /** Says when a thread begins to wait. */
  private final class Sleeps implements Threads {
    private final BlockingQueue<Duration> begun = new LinkedBlockingQueue<>();

    @Override
    public Handle virtual(String name, Runnable body) {
      return time.virtual(name, body);
    }

    @Override
    public Handle platform(String name, Runnable body) {
      return time.platform(name, body);
    }

    @Override
    public Signal signal() {
      Signal signal = time.signal();
      return new Signal() {
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
          begun.add(atMost);
          return signal.await(atMost);
        }

        @Override
        public boolean awaitInterruptibly(@Nullable Duration atMost) throws InterruptedException {
          return signal.awaitInterruptibly(atMost);
        }
      };
    }
  }

  @AfterEach
  void close() {
    timer.close();
  }

  @Test
  void what_is_due_after_the_move_happens_at_once() throws InterruptedException {
    timer.alarm(hands.now().plus(THREE_DAYS), 1, () -> rung.add("in three days"));
    timer.start();
    sleeps.begun.take();

    hands.move(THREE_DAYS);

    assertThat(rung.take()).isEqualTo("in three days");
  }
}
