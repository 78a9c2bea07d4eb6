package dev.hapax.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The durable map of the run's tenant, shared by all its runs. Each call is a named step, and what
 * it writes is written in the commit of its journal entry: it happens once, and the run hears the
 * same answer after a crash.
 */
public interface KvSteps {
  KvResult get(String name, String key);

  /** Writes the value, whatever stands there. */
  default KvResult put(String name, String key, @Nullable Object value) {
    return put(name, key, value, null);
  }

  /**
   * As above, for a time.
   *
   * @param ttl after which the entry is absent; null: never
   */
  KvResult put(String name, String key, @Nullable Object value, @Nullable Duration ttl);

  /** Writes the value if there is none; otherwise tells the one that is there. */
  default KvResult putIfAbsent(String name, String key, @Nullable Object value) {
    return putIfAbsent(name, key, value, null);
  }

  /** As above, for a time. */
  KvResult putIfAbsent(String name, String key, @Nullable Object value, @Nullable Duration ttl);

  /**
   * Writes the value if the entry still has this version, 0 for none; otherwise tells what is
   * there. The time at which the entry expires stays.
   */
  default KvResult compareAndSet(String name, String key, long version, @Nullable Object value) {
    return compareAndSet(name, key, version, value, null);
  }

  /** As above; the entry expires this long after now. */
  KvResult compareAndSet(
      String name, String key, long version, @Nullable Object value, @Nullable Duration ttl);

  /** Deletes the entry, if there is one. */
  KvResult delete(String name, String key);
}
