package dev.hapax.engine.writing;

import dev.hapax.flow.Failure;
import dev.hapax.flow.RunStatus;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Callers in this process that wait for a run to end or need a person. Safe for many threads. */
public final class Endings {
  private final Threads threads;
  private final ConcurrentMap<Long, Ending> awaited = new ConcurrentHashMap<>();

  public Endings(Threads threads) {
    this.threads = threads;
  }

  private volatile @Nullable RuntimeException closed;
  private volatile Runnable whenAwaited = () -> {};

  /** Calls the listener when a caller begins to wait. */
  public void whenAwaited(Runnable listener) {
    whenAwaited = listener;
  }

  /** The runs that callers wait for. */
  public List<Long> awaited() {
    return awaited.entrySet().stream()
        .filter(entry -> entry.getValue().isAwaited)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Ends all waits with this cause; there are no more results. */
  public void close(RuntimeException why) {
    if (closed == null) {
      closed = why;
    }
    awaited.values().forEach(ending -> ending.told.raise());
  }

  /** The outcome of a run: an end, or a review. */
  public record Result(RunStatus status, @Nullable String output, @Nullable Failure error) {}

  /** A place to wait for a run. */
  public final class Ending {
    private final Signal told = threads.signal();
    private volatile @Nullable Result result;
    private volatile boolean isAwaited;

    private @Nullable Result told() {
      RuntimeException why = closed;
      if (result == null && why != null) {
        throw why;
      }
      return result;
    }

    /**
     * Waits for the outcome; null if there is none within this time.
     *
     * @param atMost null for as long as it takes
     */
    public @Nullable Result await(@Nullable Duration atMost) throws InterruptedException {
      return told.awaitInterruptibly(atMost) ? told() : null;
    }

    public @Nullable Result resultIfTold() {
      return result;
    }
  }

  /** Returns the place to wait for this run; it stays until the run has an outcome. */
  public Ending join(long run) {
    RuntimeException why = closed;
    if (why != null) {
      throw why;
    }
    Ending place =
        awaited.compute(
            run,
            (_, there) -> {
              Ending ending = there == null ? new Ending() : there;
              ending.isAwaited = true;
              return ending;
            });
    whenAwaited.run();
    return place;
  }

  /**
   * For a run that is just starting: costs nothing if no caller waits by the time it leaves memory.
   */
  public Ending expect(long run) {
    return awaited.computeIfAbsent(run, _ -> new Ending());
  }

  /** Gives the outcome to every caller that waits for the run. */
  public void tell(long run, Result result) {
    Ending ending = awaited.remove(run);
    if (ending != null) {
      ending.result = result;
      ending.told.raise();
    }
  }

  /**
   * The run leaves memory. A place without a waiting caller is dropped, because a million sleeping
   * runs would fill the heap.
   */
  public void leave(long run) {
    awaited.computeIfPresent(run, (_, ending) -> ending.isAwaited ? ending : null);
  }
}
