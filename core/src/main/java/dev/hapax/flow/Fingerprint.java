package dev.hapax.flow;

import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Digest;
import java.util.HexFormat;

/**
 * SHA-256 of a value's canonical JSON, in hex: two values with one fingerprint are the same value.
 */
public record Fingerprint(String hex) {
  public static final int BYTES = 32;

  public static Fingerprint of(String json) {
    return of(Digest.sha256(CanonicalJson.of(json)));
  }

  public static Fingerprint of(byte[] bytes) {
    return new Fingerprint(HexFormat.of().formatHex(bytes));
  }

  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  @Override
  public String toString() {
    return hex;
  }
}
