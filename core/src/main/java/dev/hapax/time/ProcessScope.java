package dev.hapax.time;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Holds objects that belong to the process and outlive an engine. An engine that is opened again
 * finds here the work that an earlier engine has left under way. A simulated process has its own
 * scope, which ends with it.
 */
public final class ProcessScope {
  private final Map<Object, Object> things = new HashMap<>();

  /**
   * Uses the object under a key exclusively, and creates it if there is none.
   *
   * @param use returns whether the object is still needed
   */
  public synchronized <T> T use(
      Object key, Class<T> type, Supplier<T> fresh, Predicate<? super T> use) {
    T thing = type.cast(things.computeIfAbsent(key, _ -> fresh.get()));
    if (!use.test(thing)) {
      things.remove(key);
    }
    return thing;
  }
}
