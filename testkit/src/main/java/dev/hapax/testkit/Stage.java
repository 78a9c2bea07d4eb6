package dev.hapax.testkit;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.store.Batch;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The real engine on a store in memory, in a process that can die and be followed by another, with
 * time that changes only when it is moved.
 */
public final class Stage implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Far more than any run needs; a run that sleeps and loops for ever would go on all day. */
  private static final int MOST_MOVES = 50_000;

  /** Code that is at work and has written nothing for this long waits for something outside. */
  private static final Duration STUCK = Duration.ofSeconds(2);

  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration NUDGE = Duration.ofMillis(100);
  private static final int MOST_NUDGES = 100;
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private final ManualTime time;
  private final MemoryStore store = new MemoryStore();
  private final Interceptor interceptor;
  private final CommitWatch watch;
  private final Consumer<Hapax> code;
  private volatile StagedProcess process;
  private Hapax hapax;

  /** Sees every commit of every process on this stage. */
  @FunctionalInterface
  public interface CommitWatch {
    CommitWatch NONE = (_, _, commit) -> commit.run();

    /** Runs the commit, or does not; the process may die before or after it. */
    void around(Stage stage, Batch batch, Runnable commit);
  }

  /**
   * Opens the engine in a first process.
   *
   * @param code registers the flows with each process's engine
   */
  public Stage(ManualTime time, Interceptor interceptor, CommitWatch watch, Consumer<Hapax> code) {
    this.time = time;
    this.interceptor = interceptor;
    this.watch = watch;
    this.code = code;
    this.process = new StagedProcess();
    this.hapax = open(process);
  }

  static Stage of(List<Flow<?, ?>> flows, Interceptor interceptor, CommitWatch watch) {
    List<Flow<?, ?>> all = List.copyOf(flows);
    return new Stage(
        new ManualTime(), interceptor, watch, process -> all.forEach(process::register));
  }

  private Hapax open(StagedProcess in) {
    var options =
        HapaxOptions.DEFAULT
            .ports(time.ports())
            .closeWithin(Duration.ZERO)
            .interceptor(in.whileAlive(interceptor));
    Store view = in.view(store, (batch, commit) -> watch.around(this, batch, commit));
    Hapax opened = Hapax.open(view, options);
    try {
      code.accept(opened);
    } catch (StoreBroken | StoreClosed e) {
      if (!in.isDead()) {
        throw e;
      }
    }
    return opened;
  }

  /** Returns the engine of the present process. */
  public Hapax hapax() {
    return hapax;
  }

  public Store store() {
    return store;
  }

  public ManualTime time() {
    return time;
  }

  /** Lets the process die at once. */
  public void die() {
    process.die();
  }

  public boolean isDead() {
    return process.isDead();
  }

  /**
   * Whether the code of a step that asks belongs to a process that has died. Threads cannot be
   * killed, so a stand-in for a destination asks this before it takes anything from them.
   */
  public static boolean isInDeadProcess() {
    return StagedProcess.isCurrentDead();
  }

  /** Opens the same store in another process with the same code. */
  public void openAgain() {
    die();
    close();
    process = new StagedProcess();
    hapax = open(process);
  }

  @Override
  public void close() {
    try {
      hapax.close();
    } catch (StoreBroken | StoreClosed e) {
      // it was dead already
    }
  }

  /** Moves time, and waits until everything that became due has happened. */
  public void move(Duration by) {
    time.move(by);
    awaitQuiet();
  }

  /**
   * Waits until every run is on disk and none is due, or runs in memory wait for time or for a
   * caller. Code of a flow that waits for something outside of the engine counts as waiting when
   * nothing has been written for a while.
   */
  public void awaitQuiet() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    long since = System.nanoTime();
    long last = -1;
    int nudges = 0;
    while (System.nanoTime() < end && !isDead()) {
      boolean isIdle = time.awaitIdle(LOOK);
      if (isDead()) {
        return;
      }
      boolean isAwake = isAwake();
      if (isIdle) {
        if (isAwake || !isDue() || ++nudges > MOST_NUDGES) {
          return;
        }
        time.move(NUDGE); // a timer that had read the clock before it was moved looks again
      } else if (written() != last) {
        last = written();
        since = System.nanoTime();
      } else if ((!isAwake && !isDue()) || System.nanoTime() - since > STUCK.toNanos()) {
        return;
      }
    }
  }

  private long written() {
    return runs().stream().mapToLong(run -> store.journal(run.number()).size()).sum();
  }

  private List<Run> awake() {
    return runs().stream().filter(run -> run.owner() != null && !run.isQuarantined()).toList();
  }

  /** Whether a run is in memory; after {@link #awaitQuiet} its own code waits for something. */
  public boolean isAwake() {
    return !awake().isEmpty();
  }

  /** Returns all runs, the newest first: also children, and deliveries of messages. */
  public List<Run> runs() {
    var filter = RunFilter.of(HapaxOptions.DEFAULT.tenant());
    return store.runs(new RunFilter(filter.tenant(), null, null, null, null, Integer.MAX_VALUE));
  }

  private boolean isDue() {
    Instant next = store.nextDue(null);
    return next != null && !next.isAfter(time.now());
  }

  /** The state of a run that time alone does not advance any further. */
  public enum Standstill {
    ENDED,
    REVIEW,
    /** The run waits for a callback, a decision or another run. */
    WAITING,
    PROCESS_DIED
  }

  /** Moves time until only a caller from outside can advance the run. */
  public Standstill drive(String id) {
    return drive(id, _ -> false, false, PATIENCE);
  }

  /**
   * As above, but before it moves time it lets people and systems outside answer what runs ask, so
   * that nothing expires that they would have answered.
   *
   * @param outside returns whether it has answered something
   * @param all whether other runs go on, as far as time brings them, when this one has ended
   * @param patience how long this may take, in real time
   */
  Standstill drive(String id, Predicate<Hapax> outside, boolean all, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    for (int moves = 0; moves < MOST_MOVES && System.nanoTime() < end; moves++) {
      awaitQuiet();
      if (isDead()) {
        return Standstill.PROCESS_DIED;
      }
      RunStatus status = hapax.run(id).status();
      if (status.isEnd() && !all) {
        return Standstill.ENDED;
      }
      if (outside.test(hapax)) {
        continue;
      }
      Duration next = untilSomethingHappens();
      if (next != null) {
        time.move(next);
      } else {
        return status.isEnd()
            ? Standstill.ENDED
            : status == RunStatus.REVIEW ? Standstill.REVIEW : Standstill.WAITING;
      }
    }
    throw new AssertionError(
        "run %s does not come to an end:%s".formatted(id, HistoryText.of(hapax.history(id))));
  }

  /** Returns how far time has to move; null if it brings nothing. */
  private @Nullable Duration untilSomethingHappens() {
    Instant due = store.nextDue(null);
    Duration next = due == null ? null : Duration.between(time.now(), due);
    if (isAwake()) {
      Duration limit = time.untilNextLimit(); // its code waits, perhaps for its timeout
      Duration rest = limit == null ? STEP : limit;
      next = next == null || rest.compareTo(next) < 0 ? rest : next;
    }
    return next == null || next.compareTo(SHORTEST) > 0 ? next : SHORTEST;
  }
}
