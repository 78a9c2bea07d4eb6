package dev.hapax.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the wait that would never end. Pure: every store calls it inside its transaction. */
public final class WaitCycle {
  /** More runs than this that wait for the caller are not followed: the call is refused. */
  public static final int MOST_WAITERS = 100_000;

  private WaitCycle() {}

  /** Which runs wait for a run. */
  @FunctionalInterface
  public interface Waiters<E extends Exception> {
    List<Long> of(long run) throws E;
  }

  /**
   * Whether the child waits for the caller already, perhaps through others. The search goes up from
   * the caller: nearly always nobody waits for it, or one chain of parents does.
   */
  public static <E extends Exception> boolean closes(long caller, long child, Waiters<E> waiters)
      throws E {
    Set<Long> seen = new HashSet<>();
    Deque<Long> toAsk = new ArrayDeque<>();
    seen.add(caller);
    toAsk.add(caller);
    while (!toAsk.isEmpty() && !seen.contains(child) && seen.size() <= MOST_WAITERS) {
      for (long waiter : waiters.of(toAsk.remove())) {
        if (seen.add(waiter)) {
          toAsk.add(waiter);
        }
      }
    }
    return seen.contains(child) || seen.size() > MOST_WAITERS;
  }
}
