package dev.hapax.flow;

import dev.hapax.json.Digest;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A run's id, derived from its identity: {@code r-} and 26 characters that can be computed from the
 * key. The same 16 bytes are the run's unique index, so one narrow index answers both "by key" and
 * "by id".
 */
public record RunId(long high, long low) {
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

  /**
   * The identity (tenant, flow, key), with the input's fingerprint where the flow makes a run per
   * key and input.
   */
  public static RunId of(String tenant, String flow, String key, @Nullable Fingerprint perInput) {
    return of(tenant, flow, key, perInput, 0);
  }

  /** As above, for a key that is used again after it had expired or was forgotten. */
  public static RunId of(
      String tenant, String flow, String key, @Nullable Fingerprint perInput, int generation) {
    if (generation > 0) {
      String input = perInput == null ? "" : perInput.hex();
      return of(Digest.ofParts("run", tenant, flow, key, input, Integer.toString(generation)));
    }
    byte[] hash =
        perInput == null
            ? Digest.ofParts("run", tenant, flow, key)
            : Digest.ofParts("run", tenant, flow, key, perInput.hex());
    return of(hash);
  }

  public static RunId of(byte[] bytes) {
    var buffer = ByteBuffer.wrap(bytes);
    return new RunId(buffer.getLong(), buffer.getLong());
  }

  public static RunId parse(String text) {
    if (text.length() != 28 || !text.startsWith("r-")) {
      throw malformed(text);
    }
    long high = 0;
    long low = 0;
    for (int i = 2; i < 28; i++) {
      int digit = ALPHABET.indexOf(text.charAt(i));
      if (digit < 0 || (i == 27 && (digit & 3) != 0)) {
        throw malformed(text);
      }
      int bits = i == 27 ? 3 : 5; // the last character carries 3 bits and 2 of padding
      high = (high << bits) | (low >>> (64 - bits));
      low = (low << bits) | (digit >> (5 - bits));
    }
    return new RunId(high, low);
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
  }

  @Override
  public String toString() {
    return "r-" + Digest.base32(bytes(), 16);
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "run id: expected 'r-' and 26 characters of a-z and 2-7, got '" + text + "'");
  }
}
