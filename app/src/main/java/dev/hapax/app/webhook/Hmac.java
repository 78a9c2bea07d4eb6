package dev.hapax.app.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Keyed hashes of what was signed. */
final class Hmac {
  private Hmac() {}

  static byte[] sha256(byte[] key, byte[] signed) {
    return of("HmacSHA256", key, signed);
  }

  static byte[] of(String algorithm, byte[] key, byte[] signed) {
    try {
      Mac mac = Mac.getInstance(algorithm);
      mac.init(new SecretKeySpec(key, algorithm));
      return mac.doFinal(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + algorithm, e);
    }
  }

  /** Whether one of the secrets gives one of the signatures; all are tried, whichever fits. */
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

  static byte[] bytes(String secret) {
    return secret.getBytes(StandardCharsets.UTF_8);
  }
}
