package dev.hapax.app.secret;

import dev.hapax.time.RandomSource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Bytes encrypted by AES-GCM and bound to their place: moved to another place, they do not open.
 */
final class SealedBytes {
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private SealedBytes() {}

  /** Returns the additional data that binds to a purpose and the parts of a place. */
  static byte[] bound(String purpose, String... belongsTo) {
    int size = 0;
    byte[][] parts = new byte[belongsTo.length + 1][];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = (i == 0 ? purpose : belongsTo[i - 1]).getBytes(StandardCharsets.UTF_8);
      size += Integer.BYTES + parts[i].length;
    }
    var bytes = ByteBuffer.allocate(size);
    for (byte[] part : parts) {
      bytes.putInt(part.length).put(part);
    }
    return bytes.array();
  }

  /** Returns nonce and ciphertext. */
  static byte[] encrypt(SecretKey key, byte[] plain, RandomSource random, byte[] bound) {
    try {
      byte[] nonce = Arrays.copyOf(Keyring.bytes(random), NONCE_BYTES);
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(bound);
      byte[] encrypted = cipher.doFinal(plain);
      return ByteBuffer.allocate(NONCE_BYTES + encrypted.length).put(nonce).put(encrypted).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot encrypt with " + CIPHER, e);
    }
  }

  static byte[] decrypt(SecretKey key, byte[] bytes, byte[] bound) throws Envelope.CannotOpen {
    if (bytes.length < NONCE_BYTES) {
      throw new Envelope.CannotOpen("it was changed", null);
    }
    try {
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, bytes, 0, NONCE_BYTES));
      cipher.updateAAD(bound);
      return cipher.doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES);
    } catch (AEADBadTagException | IllegalArgumentException e) {
      throw new Envelope.CannotOpen("it was changed, or moved from another place", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot decrypt with " + CIPHER, e);
    }
  }
}
