package dev.hapax.testkit.memory;

import dev.hapax.flow.Failover;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory, optionally with a standby that receives every write some writes later. When
 * the standby takes over, the writes that it has not received are lost. The caller guards it.
 */
final class FollowedStore {
  private MemoryStore present = new MemoryStore();
  private final long id = present.id();
  private @Nullable MemoryStore standby;
  private final Queue<Write<?>> unheard = new ArrayDeque<>();
  private final List<Failover> failovers = new ArrayList<>();
  private int lag;

  /** A write, and its answer. */
  @FunctionalInterface
  interface Write<T> {
    T to(MemoryStore store);
  }

  MemoryStore present() {
    return present;
  }

  /** Returns the store's id, which a standby shares. */
  long id() {
    return id;
  }

  /** Returns the failovers in the order in which they were noticed. */
  List<Failover> failovers() {
    return List.copyOf(failovers);
  }

  /** Adds a standby from the beginning, so many writes behind. */
  void follow(int writes) {
    standby = new MemoryStore();
    lag = writes;
  }

  /** Writes. The write must mean the same to the standby when it gets there later. */
  <T> T write(Write<T> what) {
    T answer = what.to(present);
    if (standby != null) {
      unheard.add(what);
      if (unheard.size() > lag) {
        unheard.remove().to(standby);
      }
    }
    return answer;
  }

  /** Lets the standby replace the store, if there is one; returns how many writes are lost. */
  int failOver(Instant now) {
    MemoryStore successor = standby;
    if (successor == null) {
      return 0;
    }
    int lost = unheard.size();
    Instant since = successor.newestAt();
    failovers.add(new Failover(since, now.isAfter(since) ? now : since));
    present = successor;
    standby = null;
    unheard.clear();
    return lost;
  }
}
