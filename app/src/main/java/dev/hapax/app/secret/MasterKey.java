package dev.hapax.app.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key that protects the keys of all secrets. It encrypts nothing itself: keys derived from it do,
 * one for each purpose.
 */
final class MasterKey {
  static final int BYTES = 32;

  private final String id;
  private final SecretKey wrapping;

  MasterKey(byte[] material) {
    if (material.length != BYTES) {
      throw new IllegalArgumentException(
          "master key: expected %d bytes, got %d".formatted(BYTES, material.length));
    }
    byte[] name = derive(material, "hapax master key id 1", 8);
    this.id = HexFormat.of().formatHex(name);
    byte[] key = derive(material, "hapax data key wrapping 1", BYTES);
    this.wrapping = new SecretKeySpec(key, "AES");
    Arrays.fill(key, (byte) 0);
  }

  private static byte[] derive(byte[] material, String purpose, int length) {
    try {
      return KDF.getInstance("HKDF-SHA256")
          .deriveData(
              HKDFParameterSpec.ofExtract()
                  .addIKM(material)
                  .thenExpand(purpose.getBytes(StandardCharsets.UTF_8), length));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no HKDF-SHA256", e);
    }
  }

  /** Identifies the master key that a secret needs; reveals nothing about the key. */
  String id() {
    return id;
  }

  SecretKey wrapping() {
    return wrapping;
  }
}
