package dev.hapax.store.postgres;

import dev.hapax.run.RunId;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The keys whose insert had to wait for too long: somebody has started the same run in a
 * transaction of their own and keeps it open. Whoever starts it here is told to look again, and the
 * others of the batch, who have nothing to do with it, do not wait along.
 */
final class HeldKeys {
  private static final int MOST = 1_000;

  /** How long a key that is known to be held is waited for; nearly no time for the others. */
  static final String SHORT_WAIT = "SET LOCAL lock_timeout = '20ms'";

  static final String USUAL_WAIT = "SET LOCAL lock_timeout = '2s'";

  private final Set<RunId> keys = new LinkedHashSet<>();

  boolean isHeld(Group group) {
    return !keys.isEmpty()
        && group.head() instanceof Head.Insert(var run, var _)
        && keys.contains(run.id());
  }

  /** Whether the group inserts a run, so that it may be told to look again. */
  boolean waitedFor(Group group) {
    if (!(group.head() instanceof Head.Insert(var run, var _))) {
      return false;
    }
    if (keys.size() == MOST) {
      keys.remove(keys.iterator().next());
    }
    keys.add(run.id());
    return true;
  }

  void isFree(Group group) {
    if (group.head() instanceof Head.Insert(var run, var _)) {
      keys.remove(run.id());
    }
  }
}
