package dev.hapax.run.wait;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds waits that would never end. Pure: every store calls it inside its transaction. */
public final class WaitCycle {
  /** If more runs than this wait for the caller, they are not followed and the call is refused. */
  public static final int MOST_WAITERS = 100_000;

  /** A longer chain of slots and locks is not followed; the call then waits. */
  private static final int MOST_HOLDERS = 1_000;

  private WaitCycle() {}

  /** Finds the runs that wait for a run. */
  @FunctionalInterface
  public interface Waiters<E extends Exception> {
    List<Long> of(long run) throws E;
  }

  /** Finds the holders that a run waits for in line: all holders of each slot or lock. */
  @FunctionalInterface
  public interface Lines<E extends Exception> {
    List<List<Long>> before(long run) throws E;
  }

  /**
   * Whether the child already waits for the caller, perhaps through others, or for a slot or lock
   * that is not released before the caller ends. The search goes up from the caller: nearly always
   * no run waits for it, or one chain of parents does.
   */
  public static <E extends Exception> boolean closes(
      long caller, long child, Waiters<E> waiters, Lines<E> lines) throws E {
    Set<Long> above = above(caller, child, waiters);
    return above.contains(child)
        || above.size() > MOST_WAITERS
        || isStuck(child, above, lines, new HashSet<>());
  }

  /** The run, and all that wait for it, directly or through others, as far as the wanted one. */
  public static <E extends Exception> Set<Long> above(long run, long wanted, Waiters<E> waiters)
      throws E {
    Set<Long> seen = new HashSet<>();
    Deque<Long> toAsk = new ArrayDeque<>();
    seen.add(run);
    toAsk.add(run);
    while (!toAsk.isEmpty() && !seen.contains(wanted) && seen.size() <= MOST_WAITERS) {
      for (long waiter : waiters.of(toAsk.remove())) {
        if (seen.add(waiter)) {
          toAsk.add(waiter);
        }
      }
    }
    return seen;
  }

  /** Whether no holder will release what it waits for. */
  private static <E extends Exception> boolean isStuck(
      long run, Set<Long> above, Lines<E> lines, Set<Long> asked) throws E {
    for (List<Long> holders : lines.before(run)) {
      boolean isHeldForEver = !holders.isEmpty();
      for (long holder : holders) {
        isHeldForEver &=
            above.contains(holder)
                || (asked.add(holder)
                    && asked.size() < MOST_HOLDERS
                    && isStuck(holder, above, lines, asked));
      }
      if (isHeldForEver) {
        return true;
      }
    }
    return false;
  }
}
