package dev.hapax.engine.tests;

import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store whose reads a test counts and can make fail. Safe for many threads. */
final class RefusableReads extends ForwardingStore {
  private static final Set<String> NO_READS =
      Set.of("commit", "heartbeat", "write", "mark", "failovers", "newestAt", "close", "backup");

  private final Store store;
  private final List<String> asked = new ArrayList<>(); // guarded by itself
  private volatile Predicate<String> refuses = _ -> false;
  private volatile Runnable refusal = () -> {};

  RefusableReads(Store store) {
    this.store = store;
  }

  /** Refuses the reads whose names this accepts; it is asked once per read. */
  void refuse(Predicate<String> which, Runnable how) {
    refusal = how;
    refuses = which;
  }

  /** The names of all reads so far, in their order. */
  List<String> asked() {
    synchronized (asked) {
      return List.copyOf(asked);
    }
  }

  @Override
  protected Store to() {
    return store;
  }

  @Override
  protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
    if (!NO_READS.contains(method)) {
      read(method);
    }
    return call.get();
  }

  private void read(String name) {
    boolean isRefused;
    synchronized (asked) {
      asked.add(name);
      isRefused = refuses.test(name);
    }
    if (isRefused) {
      refusal.run();
    }
  }
}
