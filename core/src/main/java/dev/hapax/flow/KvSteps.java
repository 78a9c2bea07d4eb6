package dev.hapax.flow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The durable map of the run's tenant, shared by all its runs. Each call is a named step, and its
 * write is part of the commit of its journal entry. So it happens once, and the run gets the same
 * answer after a crash.
 */
public interface KvSteps {
  KvResult get(String name, String key);

  /** Writes the value, and replaces an existing one. */
  default KvResult put(String name, String key, @Nullable Object value) {
    return put(name, key, value, null);
  }

  /**
   * As above, for a limited time.
   *
   * @param ttl after which the entry is absent; null: never
   */
  KvResult put(String name, String key, @Nullable Object value, @Nullable Duration ttl);

  /** Writes the value if there is none; otherwise returns the current one. */
  default KvResult putIfAbsent(String name, String key, @Nullable Object value) {
    return putIfAbsent(name, key, value, null);
  }

  /** As above, for a limited time. */
  KvResult putIfAbsent(String name, String key, @Nullable Object value, @Nullable Duration ttl);

  /**
   * Writes the value if the entry still has this version, 0 for no entry; otherwise returns the
   * current entry. The expiry time of the entry does not change.
   */
  default KvResult compareAndSet(String name, String key, long version, @Nullable Object value) {
    return compareAndSet(name, key, version, value, null);
  }

  /** As above. The entry expires this long after now. */
  KvResult compareAndSet(
      String name, String key, long version, @Nullable Object value, @Nullable Duration ttl);

  /** Deletes the entry, if there is one. */
  KvResult delete(String name, String key);
}
