package dev.hapax.run.value;

import dev.hapax.flow.KvEntry;
import dev.hapax.flow.Names;
import dev.hapax.json.CanonicalJson;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.KvAction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to the durable map. The rules here decide it inside the transaction, so that all stores
 * answer alike.
 *
 * @param number for the entry, if this writes one
 * @param value to be written: JSON text, or the reference to a large one; for an addition the
 *     number that is added
 * @param version that the entry must have for a compare-and-set; {@link KvEntry#ABSENT} if there
 *     must be none
 * @param expiresAt of the written entry; a change of an entry without it leaves the expiry as it is
 * @param from the values that a transition may replace, as canonical JSON; {@code null} also means
 *     that there is no entry
 */
public record KvRequest(
    long number,
    String tenant,
    String key,
    KvAction action,
    @Nullable String value,
    long version,
    @Nullable Instant expiresAt,
    List<String> from) {
  /** In the comparison of values each has its cost inside the transaction. */
  private static final int MOST_FROM = 100;

  private static final int LONGEST_FROM = 1_000;

  /** Refuses requests that could never be stored or satisfied. */
  public KvRequest {
    Names.key("a kv entry", key);
    if (version < KvEntry.ABSENT) {
      throw new IllegalArgumentException(
          "version of kv entry '%s': expected 0 for a new entry, or a version that was read before, got %d"
              .formatted(key, version));
    }
    from = List.copyOf(from);
    if (action == KvAction.ADD && KvSum.of(null, String.valueOf(value)) == null) {
      throw new IllegalArgumentException(
          "addition to kv entry '%s': expected a number of at most %d digits, got %s"
              .formatted(key, KvSum.MOST_DIGITS, shortened(String.valueOf(value))));
    }
  }

  /** A request that compares no values. */
  public KvRequest(
      long number,
      String tenant,
      String key,
      KvAction action,
      @Nullable String value,
      long version,
      @Nullable Instant expiresAt) {
    this(number, tenant, key, action, value, version, expiresAt, List.of());
  }

  /**
   * Returns the values that a transition may replace, as they are compared.
   *
   * @param json JSON texts
   */
  public static List<String> from(String key, Collection<String> json) {
    if (json.isEmpty() || json.size() > MOST_FROM) {
      throw new IllegalArgumentException(
          "transition of kv entry '%s': expected 1 to %d values to come from, got %d"
              .formatted(key, MOST_FROM, json.size()));
    }
    for (String one : json) {
      if (one.length() > LONGEST_FROM) {
        throw new IllegalArgumentException(
            "transition of kv entry '%s': expected values of at most %,d characters to come from, got %s"
                .formatted(key, LONGEST_FROM, shortened(one)));
      }
    }
    return json.stream().map(CanonicalJson::of).toList();
  }

  /** Whether only Hapax itself may write this entry. */
  public static boolean isReserved(String key) {
    return key.startsWith(Names.RESERVED);
  }

  /** Says why a write was refused. */
  public static String reserved(String key) {
    return "kv entry '%s': keys that begin with '%s' are reserved for Hapax. Nothing was written. Choose another key."
        .formatted(shortened(key), Names.RESERVED);
  }

  /** Says why an addition wrote nothing. */
  public static String notANumber(String key) {
    return "addition to kv entry '%s': its value is no number, or the sum has more than %d digits. Nothing was written."
        .formatted(key, KvSum.MOST_DIGITS);
  }

  private static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
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
      case TRANSITION -> from.contains(comparable(present));
      case ADD -> sum(present) != null;
      case DELETE -> present != null;
    };
  }

  /** A large value is stored elsewhere, and is never one of the small values to come from. */
  private static String comparable(@Nullable KvEntry present) {
    if (present == null) {
      return "null";
    }
    String value = present.value();
    return ResourceRef.isRef(value) || value.length() > 2 * LONGEST_FROM
        ? value
        : CanonicalJson.of(value);
  }

  private @Nullable String sum(@Nullable KvEntry present) {
    return KvSum.of(present == null ? null : present.value(), String.valueOf(value));
  }

  /** The entry after it was written. */
  public KvEntry entry(@Nullable KvEntry present, long newVersion) {
    String written = action == KvAction.ADD ? sum(present) : value;
    boolean keepsExpiry = expiresAt == null && changesAnEntry();
    Instant expiry = keepsExpiry && present != null ? present.expiresAt() : expiresAt;
    return new KvEntry(number, tenant, key, String.valueOf(written), newVersion, expiry);
  }

  private boolean changesAnEntry() {
    return action == KvAction.COMPARE_AND_SET
        || action == KvAction.TRANSITION
        || action == KvAction.ADD;
  }

  /** The answer after this entry was written. The caller knows the value, unless it is a sum. */
  public Answer.Kv written(KvEntry entry) {
    return new Answer.Kv(action == KvAction.ADD ? entry.value() : null, entry.version(), true);
  }

  /** The answer if it did not write. */
  public static Answer.Kv standing(@Nullable KvEntry present) {
    return new Answer.Kv(present == null ? null : present.value(), versionOf(present), false);
  }

  private static long versionOf(@Nullable KvEntry present) {
    return present == null ? KvEntry.ABSENT : present.version();
  }
}
