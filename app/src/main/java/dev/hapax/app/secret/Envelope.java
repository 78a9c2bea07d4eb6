package dev.hapax.app.secret;

import dev.hapax.time.RandomSource;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A value encrypted with its own key, and that key encrypted with a master key. Both are bound to
 * their place: moved to another place, neither opens.
 *
 * @param masterKey the id of the master key
 * @param wrappedKey base64 of nonce and ciphertext
 * @param sealed base64 of nonce and ciphertext
 */
record Envelope(String masterKey, String wrappedKey, String sealed) {
  /**
   * Seals a value.
   *
   * @param belongsTo tenant, name and revision
   */
  static Envelope seal(MasterKey master, String value, RandomSource random, String... belongsTo) {
    byte[] plain = Keyring.bytes(random);
    SecretKey key = new SecretKeySpec(plain, "AES");
    var envelope =
        new Envelope(
            master.id(),
            encrypt(master.wrapping(), plain, random, bound("data key", belongsTo)),
            encrypt(
                key, value.getBytes(StandardCharsets.UTF_8), random, bound("value", belongsTo)));
    Arrays.fill(plain, (byte) 0);
    return envelope;
  }

  String open(Keyring keys, String... belongsTo) throws CannotOpen {
    byte[] plain = dataKey(keys, belongsTo);
    SecretKey key = new SecretKeySpec(plain, "AES");
    Arrays.fill(plain, (byte) 0);
    return new String(decrypt(key, sealed, bound("value", belongsTo)), StandardCharsets.UTF_8);
  }

  /** Returns the same value under another master key, without decrypting it. */
  Envelope rewrapped(Keyring keys, RandomSource random, String... belongsTo) throws CannotOpen {
    byte[] plain = dataKey(keys, belongsTo);
    MasterKey master = keys.current();
    var envelope =
        new Envelope(
            master.id(),
            encrypt(master.wrapping(), plain, random, bound("data key", belongsTo)),
            sealed);
    Arrays.fill(plain, (byte) 0);
    return envelope;
  }

  private byte[] dataKey(Keyring keys, String... belongsTo) throws CannotOpen {
    MasterKey master = keys.find(masterKey);
    if (master == null) {
      throw new CannotOpen(
          "it needs the master key " + masterKey + ", which is missing here", null);
    }
    return decrypt(master.wrapping(), wrappedKey, bound("data key", belongsTo));
  }

  private static byte[] bound(String purpose, String... belongsTo) {
    return SealedBytes.bound(purpose, belongsTo);
  }

  private static String encrypt(SecretKey key, byte[] plain, RandomSource random, byte[] bound) {
    return Base64.getEncoder().encodeToString(SealedBytes.encrypt(key, plain, random, bound));
  }

  private static byte[] decrypt(SecretKey key, String text, byte[] bound) throws CannotOpen {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new CannotOpen("it was changed, or moved from another place", e);
    }
    return SealedBytes.decrypt(key, bytes, bound);
  }

  /** The envelope does not open with the available keys. */
  static final class CannotOpen extends Exception {
    private static final long serialVersionUID = 1L;

    CannotOpen(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
