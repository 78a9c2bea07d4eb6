package dev.hapax.engine.pass;

import dev.hapax.effect.Unwind;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The fibers that one fiber has started in parallel, until each is done, suspended or stopped. Safe
 * for their threads.
 */
final class Fork {
  private final Fiber parent;
  private final Threads threads;
  private final List<Signal> running = new ArrayList<>();
  private final Map<Thread, Signal> carriers = new ConcurrentHashMap<>();
  // Guarded by this.
  private @Nullable Suspension rest;
  private boolean stopped;

  /**
   * Makes the run durable, because no parallel code is called for a run that is not. Hands over the
   * parent's entries, so that they precede everything that the fibers write.
   */
  Fork(Fiber parent, Threads threads) {
    this.parent = parent;
    this.threads = threads;
    RunPass pass = parent.pass();
    pass.fence().enter(parent);
    try {
      pass.accept(parent);
    } finally {
      pass.fence().leave(parent);
    }
    parent.writer().flush();
  }

  /** Does this work on its own thread, which carries the fibers that it makes. */
  void start(String name, Runnable work) {
    RunPass pass = parent.pass();
    Signal done = threads.signal();
    Runnable watched = pass.beside(work);
    running.add(done);
    pass.startBeside(
        name,
        () -> {
          carriers.put(Thread.currentThread(), done);
          try {
            watched.run();
          } finally {
            done.raise();
          }
        });
  }

  /**
   * Runs code in its own fiber. The other fiber awaits the groups that this one leaves under way.
   *
   * @return whether it came to its end; if not, it is at rest or stopped, or the run is over
   */
  boolean carryOut(Fiber fiber, Fiber leavesTo, Runnable code) {
    fiber.carry();
    fiber.otherwise(() -> leaveBehind(fiber, leavesTo));
    try {
      code.run();
    } catch (Unwind unwind) {
      // the fiber itself knows why, also if the code has thrown something else
    } finally {
      fiber.writer().handOverTo(leavesTo.writer());
      fiber.letGo();
    }
    note(fiber);
    return !fiber.isOut() && !fiber.pass().fence().isClosed();
  }

  /** Its code does not return, so its thread is not waited for. */
  private void leaveBehind(Fiber fiber, Fiber leavesTo) {
    fiber.writer().handOverTo(leavesTo.writer());
    note(fiber);
    Signal done = carriers.get(Thread.currentThread());
    if (done != null) {
      done.raise();
    }
  }

  private synchronized void note(Fiber fiber) {
    Suspension its = fiber.rest();
    rest = its == null ? rest : its.and(rest);
    stopped |= fiber.isStopped();
  }

  /** Waits for all of them. The parent goes on, or is suspended or stops as they are. */
  void join() {
    running.forEach(Signal::await);
    if (parent.pass().fence().isClosed()) {
      throw new Unwind();
    }
    Suspension theirs;
    synchronized (this) {
      theirs = rest;
    }
    parent.pass().fence().enter(parent);
    try {
      if (theirs != null) {
        throw parent.park(theirs.status(), theirs.dueAt());
      }
      if (stopped) {
        throw parent.stop();
      }
    } finally {
      parent.pass().fence().leave(parent);
    }
  }
}
