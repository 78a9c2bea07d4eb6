package dev.hapax.flow;

import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The durable map of the run's tenant, shared by all its runs. Each call is a named step, and its
 * write is part of the commit of its journal entry. So it happens once, and the run gets the same
 * answer after a crash. A write under a key that begins with {@code hapax/} fails with {@code
 * reserved-key}: such entries belong to Hapax itself.
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

  /**
   * Writes the value if the current one is one of these, as a status that may only move in one
   * direction; otherwise returns the current entry. Values are compared as JSON: the order of
   * members and the spelling of numbers do not matter. A null among them also allows that there is
   * no entry. The expiry time of the entry does not change.
   *
   * @param from 1 to 100 values, each with at most 1,000 characters of JSON
   */
  default KvResult transition(
      String name, String key, Collection<? extends @Nullable Object> from, @Nullable Object to) {
    return transition(name, key, from, to, null);
  }

  /** As above. The entry expires this long after now. */
  KvResult transition(
      String name,
      String key,
      Collection<? extends @Nullable Object> from,
      @Nullable Object to,
      @Nullable Duration ttl);

  /**
   * Adds a number to the entry, exactly, and returns the sum. An absent entry counts as 0. The
   * expiry time of the entry does not change.
   *
   * @param by at most 100 digits
   * @throws StepFailed with {@code not-a-number} if the entry has another value, or one with more
   *     digits
   */
  default KvResult add(String name, String key, Number by) {
    return add(name, key, by, null);
  }

  /** As above. The entry expires this long after now. */
  KvResult add(String name, String key, Number by, @Nullable Duration ttl);

  /** Deletes the entry, if there is one. */
  KvResult delete(String name, String key);
}
