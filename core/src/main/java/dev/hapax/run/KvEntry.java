package dev.hapax.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the durable map of a tenant.
 *
 * @param number of the write that made it as it is; nothing else in the store has this number
 * @param value JSON text, or the reference to a large one
 * @param version of this write; versions count up over all keys of a store, so that none comes
 *     again, also after the entry was deleted and made anew
 * @param expiresAt from then on it is absent, though it may still be stored
 */
public record KvEntry(
    long number,
    String tenant,
    String key,
    String value,
    long version,
    @Nullable Instant expiresAt) {

  /** Stands for an entry that is not there. */
  public static final long ABSENT = 0;

  /** The entry, or null if it is none at this time. */
  public static @Nullable KvEntry at(Instant now, @Nullable KvEntry found) {
    return found == null || found.isExpiredAt(now) ? null : found;
  }

  private boolean isExpiredAt(Instant now) {
    return expiresAt != null && !expiresAt.isAfter(now);
  }
}
