package dev.hapax.engine.parts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.store.Due;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import dev.hapax.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run that becomes due while the timer reads the store is woken with any answer of the store. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TimerReadTest {
  private static final Duration LATER = Duration.ofMinutes(1);

  private final ManualTime time = new ManualTime();
  private final BlockingQueue<Long> woken = new LinkedBlockingQueue<>();
  private final BlockingQueue<RuntimeException> broken = new LinkedBlockingQueue<>();
  private @Nullable Timer timer;

  /** The rows that a store finds due; the first answers are from before a commit. */
  private interface Rows {
    @Nullable Instant next(int question);

    List<Due> due(int question);
  }

  /** A store that answers only what the timer asks. */
  private static final class StoreOf extends ForwardingStore {
    private final Rows rows;
    private int nextAsked;
    private int dueAsked;

    StoreOf(Rows rows) {
      this.rows = rows;
    }

    @Override
    protected Store to() {
      throw new UnsupportedOperationException("the timer asks only what is due");
    }

    @Override
    public @Nullable Instant nextDue(@Nullable Due after) {
      return rows.next(++nextAsked);
    }

    @Override
    public List<Due> due(@Nullable Due after, Instant until, int limit) {
      return rows.due(++dueAsked);
    }
  }

  private Timer over(Rows rows) {
    timer =
        new Timer(new StoreOf(rows), time, time, woken::add, new ThreadGuard(time, broken::add));
    return timer;
  }

  @AfterEach
  void close() {
    Objects.requireNonNull(timer).close();
  }

  @Test
  void a_run_that_becomes_due_while_what_is_due_is_read_is_woken() throws InterruptedException {
    Instant now = time.now();
    over(new Rows() {
          @Override
          public @Nullable Instant next(int question) {
            return question == 1 ? now : null;
          }

          @Override
          public List<Due> due(int question) {
            noteBehindTheRead(2, now);
            return List.of(new Due(now, 1));
          }
        })
        .start();

    assertThat(woken.poll(10, TimeUnit.SECONDS)).isEqualTo(2);
    assertThat(woken.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
  }

  @Test
  void a_run_that_was_adopted_and_waits_again_before_the_timer_starts_is_woken()
      throws InterruptedException {
    Instant then = time.now().plus(LATER);
    over(new Rows() {
          @Override
          public @Nullable Instant next(int question) {
            if (question == 1) {
              noteBehindTheRead(2, then);
            }
            return null;
          }

          @Override
          public List<Due> due(int question) {
            return question == 1 ? List.of(new Due(then, 2)) : List.of();
          }
        })
        .start();

    time.move(LATER);

    assertThat(woken.poll(10, TimeUnit.SECONDS)).isEqualTo(2);
  }

  @Test
  void a_run_that_was_due_is_woken_though_the_store_cannot_say_what_comes_next()
      throws InterruptedException {
    Instant now = time.now();
    over(new Rows() {
          @Override
          public @Nullable Instant next(int question) {
            if (question == 2) {
              throw new StoreUnavailable("the server is busy", null);
            }
            return question == 1 ? now : now.plus(LATER);
          }

          @Override
          public List<Due> due(int question) {
            return switch (question) {
              case 1 -> List.of(new Due(now, 1));
              case 2 -> List.of();
              default -> List.of(new Due(now.plus(LATER), 2));
            };
          }
        })
        .start();

    assertThat(woken.poll(10, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(moveUntilWoken()).isEqualTo(2);
    assertThat(broken).isEmpty();
  }

  @Test
  void a_store_that_cannot_answer_at_the_start_is_asked_again() throws InterruptedException {
    Instant now = time.now();
    over(new Rows() {
          @Override
          public @Nullable Instant next(int question) {
            if (question == 1) {
              throw new StoreUnavailable("the server is busy", null);
            }
            return null;
          }

          @Override
          public List<Due> due(int question) {
            if (question == 1) {
              throw new StoreUnavailable("the server is busy", null);
            }
            return List.of(new Due(now, 1));
          }
        })
        .start();

    assertThat(moveUntilWoken()).isEqualTo(1);
    assertThat(broken).isEmpty();
  }

  @Test
  void an_error_of_the_timer_closes_the_engine() throws InterruptedException {
    over(new Rows() {
          @Override
          public @Nullable Instant next(int question) {
            return time.now();
          }

          @Override
          public List<Due> due(int question) {
            throw new OutOfMemoryError("made up");
          }
        })
        .start();

    assertThat(broken.poll(10, TimeUnit.SECONDS))
        .isInstanceOf(StoreBroken.class)
        .hasMessageContaining("hapax-timer")
        .hasMessageContaining("made up");
  }

  @Test
  void an_alarm_that_fails_closes_the_engine() throws InterruptedException {
    Timer ringing =
        over(
            new Rows() {
              @Override
              public @Nullable Instant next(int question) {
                return null;
              }

              @Override
              public List<Due> due(int question) {
                return List.of();
              }
            });
    ringing.start();

    ringing.alarm(
        time.now(),
        1,
        () -> {
          throw new IllegalStateException("made up");
        });

    assertThat(broken.poll(10, TimeUnit.SECONDS)).hasMessageContaining("made up");
  }

  private long moveUntilWoken() throws InterruptedException {
    for (int tries = 0; tries < 1000; tries++) {
      time.move(Duration.ofSeconds(1));
      Long run = woken.poll(20, TimeUnit.MILLISECONDS);
      if (run != null) {
        return run;
      }
    }
    throw new AssertionError("nothing was woken");
  }

  /** Its commit has landed, but after the store looked. */
  private void noteBehindTheRead(long run, Instant at) {
    Objects.requireNonNull(timer).noteDue(run, at);
  }
}
