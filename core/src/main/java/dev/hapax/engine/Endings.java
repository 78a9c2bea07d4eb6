package dev.hapax.engine;

import dev.hapax.run.Failure;
import dev.hapax.run.RunStatus;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Who waits in this process for which run to end or to need a person. Safe for many threads. */
public final class Endings {
  private final Threads threads;
  private final ConcurrentMap<Long, Ending> awaited = new ConcurrentHashMap<>();

  Endings(Threads threads) {
    this.threads = threads;
  }

  private volatile @Nullable RuntimeException closed;
  private volatile Runnable whenAwaited = () -> {};

  /** Hears that somebody has begun to wait. */
  void whenAwaited(Runnable listener) {
    whenAwaited = listener;
  }

  /** The runs that somebody waits for. */
  List<Long> awaited() {
    return awaited.entrySet().stream()
        .filter(entry -> entry.getValue().isAwaited)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Nobody will be told any more: whoever waits hears why. */
  void close(RuntimeException why) {
    if (closed == null) {
      closed = why;
    }
    awaited.values().forEach(ending -> ending.told.raise());
  }

  /** What a run has come to: an end, or a review. */
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
     * Null if it has not come to anything within this time.
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

  /** The place to wait for this run; it stays until the run has come to something. */
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
   * For a run that is just starting: costs nothing if nobody waits by the time it leaves memory.
   */
  Ending expect(long run) {
    return awaited.computeIfAbsent(run, _ -> new Ending());
  }

  /** Everybody who waits for the run hears what it has come to. */
  public void tell(long run, Result result) {
    Ending ending = awaited.remove(run);
    if (ending != null) {
      ending.result = result;
      ending.told.raise();
    }
  }

  /**
   * The run leaves memory: a place where nobody waits goes too, or a million sleeping runs would
   * fill the heap.
   */
  void leave(long run) {
    awaited.computeIfPresent(run, (_, ending) -> ending.isAwaited ? ending : null);
  }
}
