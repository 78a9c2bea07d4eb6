package dev.hapax.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the durable map of a tenant.
 *
 * @param number of the write that produced its present state; nothing else in the store has this
 *     number
 * @param value JSON text, or the reference to a large one
 * @param version of this write; versions count up over all keys of a store, so that none is
 *     repeated, also after the entry was deleted and created again
 * @param expiresAt from then on it is absent, though it may still be stored
 */
public record KvEntry(
    long number,
    String tenant,
    String key,
    String value,
    long version,
    @Nullable Instant expiresAt) {

  /** The version of an entry that does not exist. */
  public static final long ABSENT = 0;

  /** Returns the entry, or null if it does not exist at this time. */
  public static @Nullable KvEntry at(Instant now, @Nullable KvEntry found) {
    return found == null || found.isExpiredAt(now) ? null : found;
  }

  private boolean isExpiredAt(Instant now) {
    return expiresAt != null && !expiresAt.isAfter(now);
  }
}
