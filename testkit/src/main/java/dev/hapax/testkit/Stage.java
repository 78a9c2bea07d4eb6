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
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The real engine on a store in memory, in a process that can die and be followed by another, with
 * time that changes only when it is moved.
 */
final class Stage implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** A run in memory that has written nothing for this long waits inside its own code. */
  private static final Duration STUCK = Duration.ofSeconds(2);

  private static final Duration NUDGE_AFTER = Duration.ofMillis(20);
  private static final Duration NUDGE = Duration.ofMillis(100);

  private final ManualTime time = new ManualTime();
  private final MemoryStore store = new MemoryStore();
  private final List<Flow<?, ?>> flows;
  private final Interceptor interceptor;
  private final CommitWatch watch;
  private final AtomicLong commitsBegun = new AtomicLong();
  private final AtomicLong commitsOver = new AtomicLong();
  private volatile Life process;
  private Hapax hapax;

  /** Sees every commit of every process on this stage. */
  interface CommitWatch {
    CommitWatch NONE = (_, commit) -> commit.run();

    void around(Stage stage, Runnable commit);
  }

  /** One process's view of the store. */
  private static final class Life {
    private volatile boolean dead;
  }

  Stage(List<Flow<?, ?>> flows, Interceptor interceptor, CommitWatch watch) {
    this.flows = List.copyOf(flows);
    this.interceptor = interceptor;
    this.watch = watch;
    this.process = new Life();
    this.hapax = open(process);
  }

  private Hapax open(Life in) {
    var options =
        HapaxOptions.DEFAULT
            .ports(time.ports())
            .closeWithin(Duration.ZERO)
            .interceptor(interceptor);
    Hapax opened = Hapax.open(new View(in), options);
    flows.forEach(opened::register);
    return opened;
  }

  /**
   * The store as one process sees it. Once the process is dead, its calls do not reach the store.
   */
  private final class View extends ForwardingStore {
    private final Life in;

    View(Life in) {
      this.in = in;
    }

    @Override
    protected Store to() {
      return store;
    }

    @Override
    protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
      refuseIfDead(in);
      return call.get();
    }

    @Override
    public List<GroupAnswer> commit(Batch batch) {
      refuseIfDead(in);
      var answers = new AtomicReference<List<GroupAnswer>>(List.of());
      commitsBegun.incrementAndGet();
      try {
        watch.around(Stage.this, () -> answers.set(store.commit(batch)));
      } finally {
        commitsOver.incrementAndGet();
      }
      refuseIfDead(in);
      return answers.get();
    }

    @Override
    public void close() {
      refuseIfDead(in); // otherwise it stays open, for the next process
    }
  }

  private static void refuseIfDead(Life in) {
    if (in.dead) {
      throw new StoreBroken("this process is dead", null);
    }
  }

  Hapax hapax() {
    return hapax;
  }

  Store store() {
    return store;
  }

  ManualTime time() {
    return time;
  }

  /** Lets the process die at once. */
  void die() {
    process.dead = true;
  }

  boolean isDead() {
    return process.dead;
  }

  /** Opens the same store in another process with the same code. */
  void openAgain() {
    die();
    close();
    process = new Life();
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
  void move(Duration by) {
    time.move(by);
    awaitQuiet();
  }

  /**
   * Waits until no run is in memory and none is due. A run whose own code waits for something stays
   * in memory. In that case the stage is quiet when nothing has been written for a while.
   */
  void awaitQuiet() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    long quietSince = System.nanoTime();
    String last = "";
    while (System.nanoTime() < end && !isDead()) {
      if (isQuiet()) {
        return;
      }
      List<Run> awake = awake();
      String state = awake.stream().map(run -> run.id() + " " + written(run)).toList().toString();
      if (!state.equals(last)) {
        last = state;
        quietSince = System.nanoTime();
      } else if (awake.isEmpty() && isOver(NUDGE_AFTER, quietSince)) {
        time.move(NUDGE); // a timer that had read the clock before it was moved looks again
        quietSince = System.nanoTime();
      } else if (isOver(STUCK, quietSince)) {
        return;
      }
      LockSupport.parkNanos(100_000);
    }
  }

  /** Reads twice: both reads see the same moment if nothing was written between them. */
  private boolean isQuiet() {
    long begun = commitsBegun.get();
    return commitsOver.get() == begun
        && awake().isEmpty()
        && !isDue()
        && commitsBegun.get() == begun;
  }

  private static boolean isOver(Duration time, long since) {
    return System.nanoTime() - since > time.toNanos();
  }

  private int written(Run run) {
    return store.journal(run.number()).size();
  }

  private List<Run> awake() {
    return runs().stream().filter(run -> run.owner() != null).toList();
  }

  private List<Run> runs() {
    var filter = RunFilter.of(HapaxOptions.DEFAULT.tenant());
    return store.runs(new RunFilter(filter.tenant(), null, null, null, null, Integer.MAX_VALUE));
  }

  private boolean isDue() {
    Instant next = store.nextDue(null);
    return next != null && !next.isAfter(time.now());
  }

  /** The state of a run that time alone does not advance any further. */
  enum Standstill {
    ENDED,
    REVIEW,
    /** The run waits for a callback, a decision or another run. */
    WAITING,
    PROCESS_DIED
  }

  /** Moves time until only a caller from outside can advance the run. */
  Standstill drive(String id) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      awaitQuiet();
      if (isDead()) {
        return Standstill.PROCESS_DIED;
      }
      RunStatus status = hapax.run(id).status();
      if (status.isEnd()) {
        return Standstill.ENDED;
      }
      Instant next = store.nextDue(null);
      if (next != null) {
        time.move(positive(Duration.between(time.now(), next)));
      } else if (!awake().isEmpty()) {
        time.move(Duration.ofSeconds(10)); // its code waits, perhaps for its timeout
      } else {
        return status == RunStatus.REVIEW ? Standstill.REVIEW : Standstill.WAITING;
      }
    }
    throw new AssertionError("run %s does not come to an end: %s".formatted(id, hapax.history(id)));
  }

  private static Duration positive(Duration time) {
    return time.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : time;
  }
}
