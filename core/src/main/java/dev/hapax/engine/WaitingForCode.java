package dev.hapax.engine;

import dev.hapax.engine.code.FlowRelease;
import dev.hapax.flow.Run;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The runs that this node cannot take over, because the code of their release is not here. On a
 * shared store they are left to nodes that have it. Safe for many threads.
 */
final class WaitingForCode {
  private static final int MOST_LEFT_TO_OTHERS = 10_000;
  private static final Duration LEFT_FOR = Duration.ofMinutes(1);

  private final Clock clock;
  private final BooleanSupplier isShared;
  private final ConcurrentMap<FlowRelease, Set<Long>> withoutCode = new ConcurrentHashMap<>();
  // Guarded by itself: runs whose code is on other nodes, and since when, so that not every look
  // for due runs loads them. The oldest go first.
  private final LinkedHashMap<Long, Long> leftToOthers = new LinkedHashMap<>();

  /**
   * @param isShared whether another node may have the code that is missing here
   */
  WaitingForCode(Clock clock, BooleanSupplier isShared) {
    this.clock = clock;
    this.isShared = isShared;
  }

  void add(Run run) {
    if (!isShared.getAsBoolean()) {
      withoutCode.compute(FlowRelease.of(run), (_, waiting) -> with(waiting, run));
      return;
    }
    synchronized (leftToOthers) {
      leftToOthers.put(run.number(), clock.nanos());
      if (leftToOthers.size() > MOST_LEFT_TO_OTHERS) {
        leftToOthers.pollFirstEntry();
      }
    }
  }

  private static Set<Long> with(@Nullable Set<Long> waiting, Run run) {
    Set<Long> runs = waiting == null ? ConcurrentHashMap.newKeySet() : waiting;
    runs.add(run.number());
    return runs;
  }

  private static @Nullable Set<Long> without(Set<Long> waiting, Run run) {
    waiting.remove(run.number());
    return waiting.isEmpty() ? null : waiting;
  }

  /** This node has released the run, so it no longer waits here for its code. */
  void isReleased(Run run) {
    withoutCode.computeIfPresent(FlowRelease.of(run), (_, waiting) -> without(waiting, run));
  }

  /** Whether this run is ours and cannot go on, because its code is not here. */
  boolean holds(Run run) {
    Set<Long> waiting = withoutCode.get(FlowRelease.of(run));
    return waiting != null && waiting.contains(run.number());
  }

  /** This node has adopted the run, so no other node looks at it now, even if it has the code. */
  void isOurs(long run) {
    synchronized (leftToOthers) {
      leftToOthers.remove(run);
    }
  }

  /** Whether other nodes have the code of this run, and this node did not have it a moment ago. */
  boolean isLeftToOthers(long run) {
    synchronized (leftToOthers) {
      Long since = leftToOthers.get(run);
      return since != null && clock.nanos() - since < LEFT_FOR.toNanos();
    }
  }

  /** The runs here that wait for this release; all, if this node left runs to others. */
  Collection<Long> toLookAt(FlowRelease release) {
    synchronized (leftToOthers) {
      if (!leftToOthers.isEmpty()) {
        List<Long> left = List.copyOf(leftToOthers.keySet());
        leftToOthers.clear();
        return left;
      }
    }
    Set<Long> waiting = withoutCode.get(release);
    return waiting == null ? List.of() : List.copyOf(waiting);
  }

  /**
   * Removes the runs that waited for code that is there now, or may be, and returns them. Runs that
   * were left to other nodes are found by another look at what is due.
   */
  Collection<Long> remove(Predicate<FlowRelease> isThere) {
    synchronized (leftToOthers) {
      leftToOthers.clear();
    }
    List<Long> waited = new ArrayList<>();
    for (FlowRelease release : withoutCode.keySet()) {
      var runs = isThere.test(release) ? withoutCode.remove(release) : null;
      if (runs != null) {
        waited.addAll(runs);
      }
    }
    return waited;
  }
}
