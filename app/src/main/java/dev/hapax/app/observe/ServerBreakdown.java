package dev.hapax.app.observe;

import dev.hapax.flow.StoreBroken;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes that a thread of the server died. The server then accepts no work, and its engine closes as
 * broken: a node that misses promotions or suspensions would run what it should not.
 */
public final class ServerBreakdown implements Consumer<RuntimeException> {
  private static final Logger log = LoggerFactory.getLogger(ServerBreakdown.class);

  private volatile @Nullable StoreBroken cause;
  private volatile @Nullable StoreBroken toReport; // at the next call of the store
  private volatile Runnable reporting = () -> {};

  /** Sets what makes a call of the store, so that the engine hears of the breakdown at once. */
  public void reportBy(Runnable call) {
    reporting = call;
    if (toReport != null) {
      call.run();
    }
  }

  @Override
  public void accept(RuntimeException why) {
    synchronized (this) {
      if (cause != null) {
        return; // the first one counts
      }
      var broken =
          why instanceof StoreBroken is
              ? is
              : new StoreBroken(String.valueOf(why.getMessage()), why);
      toReport = broken;
      cause = broken;
    }
    log.error("the server takes no more work; restart it: {}", why.getMessage(), why);
    reporting.run();
  }

  /** Whether a thread died. */
  boolean hasHappened() {
    return cause != null;
  }

  /** Throws the cause, once. */
  void report() {
    StoreBroken broken = toReport;
    if (broken != null) {
      toReport = null;
      throw broken;
    }
  }
}
