package dev.hapax.engine.writing;

import dev.hapax.flow.ConcurrencyLimit;
import dev.hapax.flow.Run;
import dev.hapax.flow.StoreFull;
import dev.hapax.store.Committer;
import dev.hapax.store.GroupAnswer;
import dev.hapax.time.Signal;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A start whose run is not durable yet. The caller waits here until the run is durable, or found to
 * exist. The answer to the group that inserts the run settles it, no matter which thread submitted
 * the group.
 */
public final class PendingStart implements Committer.Answered {
  private final Signal settled;
  private final Endings.Ending ending;
  private final String flow;
  private volatile @Nullable Run existing;
  private volatile @Nullable RuntimeException failure;

  public PendingStart(Signal settled, Endings.Ending ending, String flow) {
    this.settled = settled;
    this.ending = ending;
    this.flow = flow;
  }

  /**
   * Waits until the run is durable and returns null, or returns the run that existed already. An
   * interrupt ends only the wait: the run may still become durable after it.
   */
  public @Nullable Run await() throws InterruptedException {
    settled.awaitInterruptibly(null);
    RuntimeException problem = failure;
    if (problem != null) {
      throw problem;
    }
    return existing;
  }

  /** Where to wait for the run's end. */
  public Endings.Ending ending() {
    return ending;
  }

  @Override
  public void answered(GroupAnswer insert) {
    switch (insert) {
      case GroupAnswer.Landed _, GroupAnswer.Queued _ -> settled.raise();
      case GroupAnswer.Exists(var run) -> {
        existing = run;
        settled.raise();
      }
      case GroupAnswer.Refused(var problem) ->
          failed(new IllegalArgumentException("the store refused this run: " + problem));
      case GroupAnswer.Busy(var holder) -> failed(new ConcurrencyLimit(flow, holder));
      case GroupAnswer.Lost _, GroupAnswer.Expired _ -> failed(new KeyChangedHands());
      case GroupAnswer.NoSpace _ -> failed(StoreFull.refusing());
      case GroupAnswer.Blocked _ ->
          throw new IllegalStateException("the committer keeps groups that are blocked");
    }
  }

  /** Settles this start, and then passes the answer on, on the committer's thread. */
  public Committer.Answered then(Consumer<GroupAnswer> after) {
    return new Committer.Answered() {
      @Override
      public void answered(GroupAnswer answer) {
        PendingStart.this.answered(answer);
        after.accept(answer);
      }

      @Override
      public void failed(RuntimeException why) {
        PendingStart.this.failed(why);
      }
    };
  }

  /** The key expired, or the remains of its last run were deleted, after it was looked at. */
  public static final class KeyChangedHands extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KeyChangedHands() {
      super("the last run of this key has expired meanwhile");
    }
  }

  /** Fails the start for good; an earlier answer stays. */
  @Override
  public void failed(RuntimeException problem) {
    if (!settled.isRaised()) {
      failure = problem;
      settled.raise();
    }
  }
}
