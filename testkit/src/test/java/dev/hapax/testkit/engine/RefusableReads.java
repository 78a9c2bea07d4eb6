package dev.hapax.testkit.engine;

import dev.hapax.store.RetentionReads;
import dev.hapax.store.Store;
import dev.hapax.store.WaitReads;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** A store whose reads a test counts and can make fail. Safe for many threads. */
final class RefusableReads {
  private static final Set<String> NO_READS =
      Set.of("commit", "heartbeat", "write", "mark", "failovers", "newestAt", "close", "backup");

  private final Store store;
  private final List<String> asked = new ArrayList<>(); // guarded by itself
  private volatile Predicate<String> refuses = _ -> false;
  private volatile Runnable refusal = () -> {};

  RefusableReads(Store store) {
    this.store = store;
  }

  /** Those reads that this says, by their names; it is asked once per read. */
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

  Store store() {
    return over(Store.class, store);
  }

  private <T> T over(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              String name = method.getName();
              boolean leadsOn = name.equals("waits") || name.equals("retention");
              if (!leadsOn && !NO_READS.contains(name)) {
                read(name);
              }
              try {
                return switch (method.invoke(target, arguments)) {
                  case WaitReads waits -> over(WaitReads.class, waits);
                  case RetentionReads reads -> over(RetentionReads.class, reads);
                  case null -> null;
                  case Object answer -> answer;
                };
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
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
