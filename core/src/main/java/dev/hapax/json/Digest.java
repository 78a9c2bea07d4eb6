package dev.hapax.json;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * SHA-256 over length-prefixed parts, so that ("ab", "c") and ("a", "bc") differ. Golden tests pin
 * its bytes.
 */
public final class Digest {
  private static final char[] BASE32 = "abcdefghijklmnopqrstuvwxyz234567".toCharArray();

  /** Copied for every use: looking up the provider again costs more than hashing a short text. */
  private static final MessageDigest SHA_256 = find();

  private Digest() {}

  private static MessageDigest find() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Returns a digest for data that arrives in parts. */
  public static MessageDigest sha256() {
    try {
      return (MessageDigest) SHA_256.clone();
    } catch (CloneNotSupportedException e) {
      return find(); // the host's own provider, which cannot copy
    }
  }

  public static byte[] sha256(String text) {
    return sha256().digest(text.getBytes(StandardCharsets.UTF_8));
  }

  public static byte[] sha256(byte[] bytes) {
    return sha256().digest(bytes);
  }

  public static byte[] ofParts(String... parts) {
    MessageDigest sha256 = sha256();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
      sha256.update(bytes);
    }
    return sha256.digest();
  }

  /**
   * Returns the HMAC-SHA256 over length-prefixed parts. Only an owner of the key can compute it.
   */
  public static byte[] hmac(byte[] key, String... parts) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        mac.update(bytes);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  /** Returns the first bytes in lower-case base32 (RFC 4648, no padding). */
  public static String base32(byte[] bytes, int length) {
    var out = new StringBuilder((length * 8 + 4) / 5);
    int buffer = 0;
    int bits = 0;
    for (int i = 0; i < length; i++) {
      buffer = (buffer << 8) | (bytes[i] & 0xff);
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        out.append(BASE32[(buffer >> bits) & 31]);
      }
    }
    if (bits > 0) {
      out.append(BASE32[(buffer << (5 - bits)) & 31]);
    }
    return out.toString();
  }
}
