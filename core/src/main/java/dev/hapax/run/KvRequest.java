package dev.hapax.run;

import dev.hapax.flow.Names;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request to the durable map. The rules here decide it inside the transaction, so that all stores
 * answer alike.
 *
 * @param number for the entry, if this writes one
 * @param value to be written: JSON text, or the reference to a large one
 * @param version that the entry must have for a compare-and-set; {@link KvEntry#ABSENT} if there
 *     must be none
 * @param expiresAt of the written entry; a compare-and-set without it leaves the expiry as it is
 */
public record KvRequest(
    long number,
    String tenant,
    String key,
    KvAction action,
    @Nullable String value,
    long version,
    @Nullable Instant expiresAt) {

  /** Refuses requests that could never be stored or satisfied. */
  public KvRequest {
    Names.key("a kv entry", key);
    if (version < KvEntry.ABSENT) {
      throw new IllegalArgumentException(
          "version of kv entry '%s': expected 0 for none, or one that was told, got %d"
              .formatted(key, version));
    }
  }

  /** Returns when an entry expires that lives this long from now; null if it lives for ever. */
  public static @Nullable Instant expiry(Instant now, @Nullable Duration ttl) {
    return ttl == null ? null : now.plus(Names.positive("ttl of a kv entry", ttl));
  }

  /** Whether it writes, given the present entry, which has not expired. */
  public boolean writesOver(@Nullable KvEntry present) {
    return switch (action) {
      case GET -> false;
      case PUT -> true;
      case PUT_IF_ABSENT -> present == null;
      case COMPARE_AND_SET -> version == versionOf(present);
      case DELETE -> present != null;
    };
  }

  /** The entry after it was written. */
  public KvEntry entry(@Nullable KvEntry present, long newVersion) {
    boolean keepsExpiry = action == KvAction.COMPARE_AND_SET && expiresAt == null;
    Instant expiry = keepsExpiry && present != null ? present.expiresAt() : expiresAt;
    return new KvEntry(number, tenant, key, String.valueOf(value), newVersion, expiry);
  }

  /** The answer if it did not write. */
  public static Answer.Kv standing(@Nullable KvEntry present) {
    return new Answer.Kv(present == null ? null : present.value(), versionOf(present), false);
  }

  private static long versionOf(@Nullable KvEntry present) {
    return present == null ? KvEntry.ABSENT : present.version();
  }
}
