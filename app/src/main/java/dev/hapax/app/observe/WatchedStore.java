package dev.hapax.app.observe;

import dev.hapax.store.Batch;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;

/** A store whose commits are looked at once they are durable. It answers as the store itself. */
public final class WatchedStore {
  private WatchedStore() {}

  /** Hears of every commit, on the committer's thread: it must not block and not fail. */
  @FunctionalInterface
  public interface Watcher {
    void committed(Batch batch, List<GroupAnswer> answers, long nanos);
  }

  /** Nearly all methods only pass on, so that what the port gains needs no word here. */
  public static Store of(Store store, Watcher watcher) {
    return (Store)
        Proxy.newProxyInstance(
            WatchedStore.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              if (method.getName().equals("commit")) {
                return commit(store, (Batch) arguments[0], watcher);
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }

  private static List<GroupAnswer> commit(Store store, Batch batch, Watcher watcher) {
    long begin = System.nanoTime();
    List<GroupAnswer> answers = store.commit(batch);
    watcher.committed(batch, answers, System.nanoTime() - begin);
    return answers;
  }
}
