package dev.hapax.app.webhook;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;

/** Signatures that a public key of 32 bytes checks. */
final class Ed25519 {
  static final int KEY_BYTES = 32;

  private static final String NAME = "Ed25519";

  private Ed25519() {}

  static boolean isSigned(byte[] publicKey, byte[] signed, byte[] signature) {
    try {
      Signature check = Signature.getInstance(NAME);
      check.initVerify(key(publicKey));
      check.update(signed);
      return check.verify(signature);
    } catch (GeneralSecurityException e) {
      return false; // bytes that are no signature at all, or no point of the curve
    }
  }

  private static PublicKey key(byte[] raw) throws GeneralSecurityException {
    if (raw.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "an Ed25519 public key has %d bytes, but this one has %d"
              .formatted(KEY_BYTES, raw.length));
    }
    // Little endian; the highest bit selects one of two points.
    boolean isOdd = (raw[KEY_BYTES - 1] & 0x80) != 0;
    byte[] bigEndian = new byte[KEY_BYTES];
    for (int i = 0; i < KEY_BYTES; i++) {
      bigEndian[i] = raw[KEY_BYTES - 1 - i];
    }
    bigEndian[0] &= 0x7f;
    var point = new EdECPoint(isOdd, new BigInteger(1, bigEndian));
    return KeyFactory.getInstance(NAME)
        .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
  }
}
