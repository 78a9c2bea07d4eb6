package dev.hapax.bench;

import dev.hapax.store.Batch;
import dev.hapax.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts the calls of a store. A proxy, so that it needs no change when the port changes. */
final class CountingStore {
  final LongAdder calls = new LongAdder();
  final LongAdder commits = new LongAdder();
  final LongAdder groups = new LongAdder();
  private final Store counted;

  CountingStore(Store store) {
    this.counted =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (_, method, arguments) -> count(store, method, arguments));
  }

  Store store() {
    return counted;
  }

  private @Nullable Object count(
      Store store, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    calls.increment();
    if (arguments != null && arguments.length > 0 && arguments[0] instanceof Batch batch) {
      commits.increment();
      groups.add(batch.groups().size());
    }
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
