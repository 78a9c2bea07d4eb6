package dev.hapax.engine;

import dev.hapax.engine.pass.RunPass;
import dev.hapax.limit.ValueMemory;
import dev.hapax.time.Threads;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The runs in memory, each of them once, and the runs that wait for room. */
final class RunsInMemory {
  private final int most;
  private final ValueMemory memory;
  private final ConcurrentMap<Long, Place> taken = new ConcurrentHashMap<>();
  private final RoomQueue waiting;

  /**
   * A run's place in memory. It is taken before anything of the run is read, so that a run is never
   * in memory twice.
   */
  static final class Place {
    private volatile @Nullable RunPass pass;
    private volatile Threads.@Nullable Handle thread;
    private volatile boolean wokenMeanwhile;
    private final AtomicBoolean isLeft = new AtomicBoolean();

    void sit(RunPass run) {
      pass = run;
      run.interruptedBy(this::interrupt);
    }

    void carriedBy(Threads.Handle handle) {
      thread = handle;
    }

    /** The thread has returned. The place is not free while another thread ends the stay. */
    void unlessGivenUp(Runnable leave) {
      RunPass run = pass;
      if (run == null || !run.isGivenUp()) {
        leave.run();
      }
    }

    boolean wasWokenMeanwhile() {
      return wokenMeanwhile;
    }

    private void interrupt() {
      Threads.Handle handle = thread;
      if (handle != null) {
        handle.interrupt();
      }
    }
  }

  RunsInMemory(int most, ValueMemory memory) {
    this.most = most;
    this.memory = memory;
    this.waiting = new RoomQueue(memory::hasRoomFor, memory::need);
  }

  /** Whether this run must wait: all places are taken, or the memory for its values is. */
  boolean isFullFor(long run) {
    return isFull() || !memory.hasRoomFor(run);
  }

  boolean isFull() {
    return taken.size() >= most;
  }

  /** Whether another run could begin at once, as far as is known before it is read. */
  boolean hasRoom() {
    return !isFull() && waiting.isEmpty();
  }

  int size() {
    return taken.size();
  }

  List<Long> all() {
    return List.copyOf(taken.keySet());
  }

  /** How many more can be taken. */
  int room() {
    return Math.max(0, most - taken.size());
  }

  boolean isTaken(long run) {
    return taken.containsKey(run);
  }

  /** Returns the pass of a run that is in memory and has been read. */
  @Nullable RunPass pass(long run) {
    Place place = taken.get(run);
    return place == null ? null : place.pass;
  }

  /** Takes a place for this run; null if it has one, and is looked at again when it leaves. */
  @Nullable Place take(long run) {
    var fresh = new Place();
    Place place =
        taken.compute(
            run,
            (_, there) -> {
              if (there == null) {
                return fresh;
              }
              there.wokenMeanwhile = true;
              return there;
            });
    if (place != fresh) {
      return null;
    }
    memory.enter(run);
    waiting.look(run); // it has all that it needed
    return fresh;
  }

  /**
   * Frees a place; false if it was freed before. What the run still holds is given back first, so
   * that its next stay in memory finds nothing of this one.
   */
  boolean leave(long run, Place place, Runnable giveBack) {
    if (!place.isLeft.compareAndSet(false, true)) {
      return false;
    }
    try {
      giveBack.run();
    } finally {
      taken.remove(run, place);
      memory.leave(run);
    }
    return true;
  }

  void waitForRoom(long run) {
    waiting.add(run);
  }

  /** Returns the next waiting run for which there is room. */
  @Nullable Long next() {
    return isFull() ? null : waiting.next();
  }
}
