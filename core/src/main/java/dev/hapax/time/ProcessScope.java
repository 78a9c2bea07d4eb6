package dev.hapax.time;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What belongs to the process and outlives an engine in it: an engine that is opened again finds
 * here what an earlier one has left under way. A simulated process has its own, which goes with it.
 */
public final class ProcessScope {
  private final Map<Object, Object> things = new HashMap<>();

  /**
   * Uses what is kept under a key, which is made if there is nothing, alone.
   *
   * @param use returns whether it is still needed
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
