package dev.hapax.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store of which somebody hears as soon as anyone has found it broken: a caller's read may be the
 * first to find out, and an engine that has nothing to write would not. A proxy, so that no method
 * can be left out.
 */
public final class WatchedStore {
  private final Store watched;
  private volatile Consumer<RuntimeException> listener = _ -> {};

  public WatchedStore(Store store) {
    this.watched = over(Store.class, store);
  }

  public Store store() {
    return watched;
  }

  /** Hears of it each time, on the thread that has found out. */
  public void whenBroken(Consumer<RuntimeException> hears) {
    listener = hears;
  }

  private <T> T over(Class<T> type, T store) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              try {
                return watched(method.invoke(store, arguments));
              } catch (InvocationTargetException e) {
                Throwable thrown = e.getTargetException();
                if (thrown instanceof StoreBroken broken) {
                  listener.accept(broken);
                }
                throw thrown;
              }
            }));
  }

  private @Nullable Object watched(@Nullable Object answer) {
    return switch (answer) {
      case WaitReads reads -> over(WaitReads.class, reads);
      case RetentionReads reads -> over(RetentionReads.class, reads);
      case null, default -> answer;
    };
  }
}
