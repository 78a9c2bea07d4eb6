package dev.hapax.engine.plan;

import dev.hapax.flow.NotPossible;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks a body in Java on a thread of its own. A body that catches the {@link
 * dev.hapax.flow.AnswerMissing} that is to end it would call again and again: its thread is then
 * left blocked, as that of a run is, and there is no plan.
 */
final class PlanThread {
  private static final Logger log = LoggerFactory.getLogger(PlanThread.class);

  private final Threads threads;
  private final String run;
  private final Signal done;
  private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();

  PlanThread(Threads threads, String run) {
    this.threads = threads;
    this.run = run;
    this.done = threads.signal();
  }

  /** Returns when the body has ended, or is given up. */
  @SuppressWarnings("CatchingThrowable") // the caller's thread throws it
  void carryOut(Runnable walk) {
    var _ =
        threads.virtual(
            "hapax-plan",
            () -> {
              try {
                walk.run();
              } catch (Throwable e) {
                thrown.compareAndSet(null, e);
              } finally {
                done.raise();
              }
            });
    done.await();
    switch (thrown.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e); // a runnable throws nothing else
    }
  }

  /** Called on the thread of the body. It does not return. */
  void giveUp(String step) {
    String what =
        "run %s cannot be replayed: its code at step '%s' catches Throwable or Error, also the one that ends a plan, and continues. Change the body to rethrow errors that it does not know."
            .formatted(run, step);
    log.error("{} Its thread is abandoned.", what);
    thrown.compareAndSet(null, new NotPossible(what));
    done.raise();
    threads.signal().await();
  }
}
