package dev.hapax.app.dev;

import dev.hapax.flows.expression.Durations;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A wall clock that a developer moves forward. It never goes back, because the store never does.
 * How far it is ahead is kept in a file, so that a server that is started again continues at the
 * same time. Safe for many threads.
 */
public final class DevClock implements Clock {
  /** Beyond it, dates have more digits than most programs read. */
  private static final Duration FURTHEST = Duration.ofDays(36_500);

  private final Clock clock;
  private final Path file;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Duration ahead;

  private DevClock(Clock clock, Path file, Duration ahead) {
    this.clock = clock;
    this.file = file;
    this.ahead = ahead;
  }

  /** Opens a clock that is as far ahead as the file says; not at all if there is none. */
  public static DevClock open(Clock clock, Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file).strip();
    } catch (NoSuchFileException e) {
      return new DevClock(clock, file, Duration.ZERO);
    }
    Duration ahead = Durations.parse(text);
    if (ahead == null) {
      throw new IOException(
          "%s: expected how far the clock is ahead, such as '3d', got '%s'. Start with --fresh, or remove the file"
              .formatted(file, text));
    }
    return new DevClock(clock, file, ahead);
  }

  /**
   * Moves the clock forward, and wakes what is due.
   *
   * @return how far it is ahead now
   * @throws IllegalArgumentException if that is further than 100 years
   */
  public Duration move(Duration by) {
    Duration now;
    synchronized (this) {
      now = ahead.plus(by);
      if (by.isNegative() || now.compareTo(FURTHEST) > 0) {
        throw new IllegalArgumentException(
            "clock: expected at most %s ahead, got %s"
                .formatted(Durations.text(FURTHEST), Durations.text(now)));
      }
      write(now); // before the engine writes times that are later than those of the next start
      ahead = now;
    }
    listeners.forEach(Runnable::run);
    return now;
  }

  private void write(Duration now) {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(fresh, Durations.text(now) + "\n");
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("the clock was not moved: " + file + " cannot be written", e);
    }
  }

  public Duration ahead() {
    return ahead;
  }

  @Override
  public Instant now() {
    return clock.now().plus(ahead);
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
