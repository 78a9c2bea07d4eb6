package dev.hapax.app.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Keyed hashes of signed content, and their encodings. */
final class Hmac {
  private Hmac() {}

  static byte[] sha256(byte[] key, byte[] signed) {
    return hash("HmacSHA256", key, signed);
  }

  /** As a keyed hash, SHA-1 is still sound; Twilio knows no other. */
  static byte[] sha1(byte[] key, byte[] signed) {
    return hash("HmacSHA1", key, signed);
  }

  private static byte[] hash(String algorithm, byte[] key, byte[] signed) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(key, algorithm));
      return mac.doFinal(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + algorithm, e);
    }
  }

  /** Returns whether one of the secrets gives one of the signatures; always tries all of them. */
  static boolean isSignedByAny(
      List<String> secrets, List<byte[]> signatures, Function<String, byte[]> sign) {
    boolean found = false;
    for (String secret : secrets) {
      byte[] expected = sign.apply(secret);
      for (byte[] signature : signatures) {
        found |= MessageDigest.isEqual(expected, signature);
      }
    }
    return found;
  }

  /** Returns the bytes of a secret that is used as it is written. */
  static byte[] bytes(String secret) {
    return secret.getBytes(StandardCharsets.UTF_8);
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Returns null if the text is no hexadecimal number of whole bytes. */
  static byte @Nullable [] hex(String text) {
    try {
      return HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns null if the text is no base64. */
  static byte @Nullable [] base64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
