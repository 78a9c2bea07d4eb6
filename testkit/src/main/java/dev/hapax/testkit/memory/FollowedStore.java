package dev.hapax.testkit.memory;

import dev.hapax.store.Failover;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory with a standby, if it is wanted, that hears of every write some writes later.
 * When the standby takes over, what it has not heard of is lost. Guarded by whoever uses it.
 */
final class FollowedStore {
  private MemoryStore present = new MemoryStore();
  private final long id = present.id();
  private @Nullable MemoryStore standby;
  private final Queue<Write<?>> unheard = new ArrayDeque<>();
  private final List<Failover> failovers = new ArrayList<>();
  private int lag;

  /** Something that is written, and its answer. */
  @FunctionalInterface
  interface Write<T> {
    T to(MemoryStore store);
  }

  MemoryStore present() {
    return present;
  }

  /** A standby is the same store. */
  long id() {
    return id;
  }

  /** In the order in which they were noticed. */
  List<Failover> failovers() {
    return List.copyOf(failovers);
  }

  /** From the beginning; so many writes behind. */
  void follow(int writes) {
    standby = new MemoryStore();
    lag = writes;
  }

  /** Whatever is written must mean the same to the standby when it hears of it. */
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

  /** Takes the place of the store, if there is one that can; says how many writes are lost. */
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
