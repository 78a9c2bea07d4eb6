package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets one suspect after another into memory. The next one comes when the one before has got
 * further than it ever did, has left, or has used up the patience with it; patience grows with each
 * unclean end, so that a run that ends processes slowly is alone at last. The first one is alone:
 * suspects that need not be in single file follow it. Safe for many threads.
 */
final class SingleFile {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MOST_DOUBLINGS = 6;

  private final EngineParts parts;
  private final LongConsumer wake;
  // Guarded by this, as is all below.
  private final TreeSet<Turn> waiting = new TreeSet<>(Turn.ORDER);
  private final Map<Long, Turn> turns = new HashMap<>();
  private final Set<Long> followers = new TreeSet<>();
  private final Set<Long> inMemory = new HashSet<>();
  private final Set<Long> awaitedVerdicts = new HashSet<>();
  private @Nullable Long current;

  /** The one that was alone at the last end comes first, so that its turns are in a row. */
  private record Turn(int alone, int ends, long run) {
    static final Comparator<Turn> ORDER =
        Comparator.comparingInt(Turn::alone)
            .thenComparingInt(Turn::ends)
            .reversed()
            .thenComparingLong(Turn::run);

    static Turn of(long run, SuspectNote note) {
      return new Turn(note.alone(), note.ends(), run);
    }
  }

  SingleFile(EngineParts parts, LongConsumer wake) {
    this.parts = parts;
    this.wake = wake;
  }

  /** No run of the file comes until the verdict about this one: the next end would be its fault. */
  synchronized void awaitVerdict(long run) {
    awaitedVerdicts.add(run);
  }

  void verdict(long run) {
    Step step;
    synchronized (this) {
      awaitedVerdicts.remove(run);
      step = next();
    }
    begin(step);
  }

  void add(Map<Long, SuspectNote> suspects) {
    Step step;
    synchronized (this) {
      suspects.forEach(
          (run, note) -> {
            if (!inMemory.contains(run)) {
              queue(run, note);
            }
          });
      step = next();
    }
    begin(step);
  }

  private void queue(long run, SuspectNote note) {
    Turn turn = Turn.of(run, note);
    Turn before = turns.put(run, turn);
    if (before != null) {
      waiting.remove(before);
    }
    waiting.add(turn);
  }

  /** Lets these come after the one whose turn it is, or at once. */
  void follow(List<Long> runs) {
    synchronized (this) {
      if (current != null) {
        followers.addAll(runs);
        return;
      }
    }
    runs.forEach(wake::accept);
  }

  synchronized boolean isHeldBack(long follower) {
    return followers.contains(follower);
  }

  /** Whether the run may come into memory now; if not, it comes when it is its turn. */
  boolean isTurnOf(long run, SuspectNote note) {
    Step step;
    synchronized (this) {
      if (inMemory.contains(run)) {
        return true;
      }
      queue(run, note);
      step = next();
    }
    begin(step);
    return false;
  }

  /** The run is in memory no more, or no suspect. */
  void left(long run) {
    Step step;
    synchronized (this) {
      if (!inMemory.remove(run)) {
        return;
      }
      if (current != null && current == run) {
        current = null;
      }
      step = next();
    }
    begin(step);
  }

  /** It stays in memory, and the next one joins it. */
  private void waitsNoLongerFor(long run) {
    Step step;
    synchronized (this) {
      if (current == null || current != run) {
        return;
      }
      current = null;
      step = next();
    }
    begin(step);
  }

  /** Whose turn it is now, if it is the turn of another one, and who may come beside it. */
  private record Step(@Nullable Turn turn, List<Long> free) {}

  private Step next() {
    if (current != null) {
      return new Step(null, List.of());
    }
    List<Long> free = List.copyOf(followers);
    followers.clear();
    if (waiting.isEmpty() || !awaitedVerdicts.isEmpty()) {
      return new Step(null, free);
    }
    Turn first = waiting.removeFirst();
    turns.remove(first.run());
    current = first.run();
    inMemory.add(first.run());
    return new Step(first, free);
  }

  /** By the timer: the run before may have called this while it writes. */
  private void begin(Step step) {
    step.free().forEach(run -> alarm(Duration.ZERO, () -> wake.accept(run)));
    Turn turn = step.turn();
    if (turn != null) {
      alarm(Duration.ZERO, () -> wake.accept(turn.run()));
      alarm(patienceWith(turn), () -> waitsNoLongerFor(turn.run()));
    }
  }

  private void alarm(Duration delay, Runnable what) {
    parts.timer().alarm(parts.clock().now().plus(delay), parts.ids().next(), what);
  }

  private static Duration patienceWith(Turn turn) {
    return PATIENCE.multipliedBy(1L << Math.min(MOST_DOUBLINGS, Math.max(0, turn.ends() - 2)));
  }
}
