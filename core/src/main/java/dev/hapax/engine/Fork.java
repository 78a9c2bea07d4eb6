package dev.hapax.engine;

import dev.hapax.effect.Unwind;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The strands that one strand has started beside each other, until each is done, at rest or
 * stopped. Safe for their threads.
 */
final class Fork {
  private final Strand parent;
  private final Threads threads;
  private final List<Signal> running = new ArrayList<>();
  private final Map<Thread, Signal> carriers = new ConcurrentHashMap<>();
  // Guarded by this.
  private @Nullable Rest rest;
  private boolean stopped;

  /**
   * What was recorded before goes ahead of everything that the strands write, and code beside the
   * body is not called for a run that is still only an intention.
   */
  Fork(Strand parent, Threads threads) {
    this.parent = parent;
    this.threads = threads;
    RunPass pass = parent.pass();
    pass.door().enter(parent);
    try {
      pass.accept(parent);
    } finally {
      pass.door().leave(parent);
    }
    parent.writer().flush();
  }

  /** Does this work on a thread of its own; it carries the strands that it makes. */
  void start(String name, Runnable work) {
    RunPass pass = parent.pass();
    Signal done = threads.signal();
    Runnable watched = pass.beside(work);
    running.add(done);
    pass.besideBody(
        threads.virtual(
            name,
            () -> {
              carriers.put(Thread.currentThread(), done);
              try {
                watched.run();
              } finally {
                done.raise();
              }
            }));
  }

  /**
   * Code in a strand of its own; what it leaves to be awaited goes to the other one.
   *
   * @return whether it came to its end; if not, it is at rest or stopped, or the run is over
   */
  boolean carryOut(Strand strand, Strand leavesTo, Runnable code) {
    strand.carry();
    strand.otherwise(() -> leaveBehind(strand, leavesTo));
    try {
      code.run();
    } catch (Unwind unwind) {
      // told below by the strand itself, also if the code has made something else of it
    } finally {
      strand.writer().handOverTo(leavesTo.writer());
    }
    note(strand);
    return !strand.isOut() && !strand.pass().door().isClosed();
  }

  /** Its code does not come back: nobody waits for its thread. */
  private void leaveBehind(Strand strand, Strand leavesTo) {
    strand.writer().handOverTo(leavesTo.writer());
    note(strand);
    Signal done = carriers.get(Thread.currentThread());
    if (done != null) {
      done.raise();
    }
  }

  private synchronized void note(Strand strand) {
    Rest its = strand.rest();
    rest = its == null ? rest : its.and(rest);
    stopped |= strand.isStopped();
  }

  /** Waits for all of them; the parent goes on, or rests or stops as they do. */
  void join() {
    running.forEach(Signal::await);
    if (parent.pass().door().isClosed()) {
      throw new Unwind();
    }
    Rest theirs;
    synchronized (this) {
      theirs = rest;
    }
    parent.pass().door().enter(parent);
    try {
      if (theirs != null) {
        throw parent.park(theirs.status(), theirs.dueAt());
      }
      if (stopped) {
        throw parent.stop();
      }
    } finally {
      parent.pass().door().leave(parent);
    }
  }
}
