package dev.hapax.app.reconcile;

import dev.hapax.flow.Rejected;
import dev.hapax.json.Digest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The keys that a list had, as hashes of 64 bits, so that a million of them takes some megabytes.
 * Used by one thread.
 */
final class SeenKeys {
  private static final int MOST = 5_000_000;
  private static final int BYTES = Long.BYTES;

  /** So many are gathered before they are sorted in: each page alone would take too long. */
  private static final int GATHERED = 1 << 16;

  private long[] sorted = {};
  private final Set<Long> recent = new HashSet<>();
  private int target;
  private int page;

  /** Whether it has the keys of all pages of this target before this one. */
  boolean isBefore(ReconcileState state) {
    return target == state.target() && page == state.page() - (state.before() == null ? 1 : 0);
  }

  void begin(int other) {
    target = other;
    page = 0;
    sorted = new long[0];
    recent.clear();
  }

  /** Adds the keys of the next page. */
  void add(String keys) {
    long[] more = hashes(keys);
    if (sorted.length + recent.size() + more.length > MOST) {
      throw new Rejected(
          "list-too-long",
          "the list has more than %,d entries. Give a shorter time, and use page.from and page.to in effect.reconcile.list"
              .formatted(MOST));
    }
    for (long one : more) {
      recent.add(one);
    }
    if (recent.size() >= GATHERED) {
      sortIn();
    }
    page++;
  }

  private void sortIn() {
    long[] both = Arrays.copyOf(sorted, sorted.length + recent.size());
    int at = sorted.length;
    for (long one : recent) {
      both[at++] = one;
    }
    Arrays.sort(both);
    sorted = both;
    recent.clear();
  }

  boolean has(long hash) {
    return recent.contains(hash) || Arrays.binarySearch(sorted, hash) >= 0;
  }

  static long hash(String key) {
    return ByteBuffer.wrap(Digest.ofParts("reconcile", key)).getLong();
  }

  static String text(List<Long> hashes) {
    ByteBuffer bytes = ByteBuffer.allocate(hashes.size() * BYTES);
    hashes.forEach(bytes::putLong);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  private static long[] hashes(String text) {
    ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
    long[] hashes = new long[bytes.remaining() / BYTES];
    bytes.asLongBuffer().get(hashes);
    return hashes;
  }
}
