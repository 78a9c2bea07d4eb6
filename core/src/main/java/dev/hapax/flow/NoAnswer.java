package dev.hapax.flow;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The store has not answered: not now, not any more, or because it was closed. This says nothing
 * about the question itself: code that turns other failures into decisions passes this one on.
 */
public abstract sealed class NoAnswer extends RuntimeException
    permits StoreUnavailable, StoreBroken, StoreClosed {
  private static final long serialVersionUID = 1L;

  /** Far more than libraries wrap, and few enough to look through for each failure. */
  private static final int MOST_LOOKED_AT = 100;

  /**
   * The missing answer behind a failure of code that asked the store; null if there is none. Code
   * may wrap what it caught several times, and a library that tries again notes earlier failures as
   * suppressed. Both count: the code is called again, and a failure of its own then comes alone.
   */
  public static @Nullable NoAnswer behind(Throwable thrown) {
    Queue<Throwable> left = new ArrayDeque<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    left.add(thrown);
    for (Throwable next; seen.size() < MOST_LOOKED_AT && (next = left.poll()) != null; ) {
      if (next instanceof NoAnswer found) {
        return found;
      }
      if (seen.add(next)) {
        Throwable cause = causeOf(next);
        if (cause != null) {
          left.add(cause);
        }
        Collections.addAll(left, next.getSuppressed());
      }
    }
    return null;
  }

  /**
   * Throws the missing answer behind a failure. Every {@code catch} that turns a failure of other
   * code into a decision begins with this call.
   */
  public static void passOn(Throwable thrown) {
    NoAnswer missing = behind(thrown);
    if (missing != null) {
      throw missing;
    }
  }

  /** An exception's own code can fail, too. */
  private static @Nullable Throwable causeOf(Throwable thrown) {
    try {
      return thrown.getCause();
    } catch (RuntimeException e) {
      return null;
    }
  }

  NoAnswer(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
