package dev.hapax.testkit.simulation;

import dev.hapax.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fault between the engine and its store. */
abstract class StoreMutation implements Mutation {
  /** Makes of the call what the mutant makes of it. */
  abstract @Nullable Object call(Store store, Call call) throws Throwable;

  @Override
  public final Store store(Store store) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> call(store, new Call(method, arguments)));
  }

  /** A call of the store's port. */
  static final class Call {
    private final Method method;
    private final Object @Nullable [] arguments;

    private Call(Method method, Object @Nullable [] arguments) {
      this.method = method;
      this.arguments = arguments;
    }

    boolean is(String name) {
      return method.getName().equals(name);
    }

    Object first() {
      return Objects.requireNonNull(arguments)[0];
    }

    @Nullable Object on(Store store) throws Throwable {
      try {
        return method.invoke(store, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
