package dev.hapax.app.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads private keys in PKCS #8, and in the older forms that OpenSSL and cert-manager write. */
final class PrivateKeys {
  private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
  private static final byte[] EC_KEY_TYPE = HexFormat.of().parseHex("06072a8648ce3d0201");
  private static final byte[] VERSION = {2, 1, 0};
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final int EC_PARAMETERS = 0xa0;

  private PrivateKeys() {}

  /** Returns the only key in a file. */
  static PrivateKey in(Path file) throws IOException {
    PrivateKey found = null;
    for (Pem block : Pem.in(file)) {
      byte[] pkcs8 =
          switch (block.label()) {
            case "PRIVATE KEY" -> block.content();
            case "RSA PRIVATE KEY" -> wrapped(RSA, block.content());
            case "EC PRIVATE KEY" -> wrapped(ecAlgorithm(file, block.content()), block.content());
            case "ENCRYPTED PRIVATE KEY" ->
                throw new IOException(
                    "the key in %s is encrypted: decrypt it with 'openssl pkey -in FILE -out FILE'"
                        .formatted(file));
            default -> null; // for example EC PARAMETERS
          };
      if (pkcs8 != null) {
        if (found != null) {
          throw new IOException("%s has more than one private key".formatted(file));
        }
        found = key(file, pkcs8);
      }
    }
    if (found == null) {
      throw new IOException("%s has no '-----BEGIN PRIVATE KEY-----' block".formatted(file));
    }
    return found;
  }

  private static PrivateKey key(Path file, byte[] pkcs8) throws IOException {
    for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
      PrivateKey key = key(algorithm, pkcs8);
      if (key != null) {
        return key;
      }
    }
    throw new IOException(
        "%s: expected a private key for RSA, EC or Ed25519, in PKCS #8".formatted(file));
  }

  private static @Nullable PrivateKey key(String algorithm, byte[] pkcs8) {
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (GeneralSecurityException e) {
      return null; // of another algorithm
    }
  }

  private static byte[] wrapped(byte[] algorithm, byte[] key) {
    return element(SEQUENCE, VERSION, algorithm, element(OCTETS, key));
  }

  /** The curve is inside the key (RFC 5915), after its version and number. */
  private static byte[] ecAlgorithm(Path file, byte[] key) throws IOException {
    int at = contentAt(key, 0); // inside the sequence
    while (at < key.length - 1) {
      int begin = contentAt(key, at);
      int end = begin + length(key, at);
      if ((key[at] & 0xff) == EC_PARAMETERS && end <= key.length) {
        return element(SEQUENCE, EC_KEY_TYPE, Arrays.copyOfRange(key, begin, end));
      }
      at = end;
    }
    throw new IOException(
        "%s: the key does not name its curve: convert it with 'openssl pkey -in FILE -out FILE'"
            .formatted(file));
  }

  private static int contentAt(byte[] der, int at) {
    int first = at + 1 < der.length ? der[at + 1] & 0xff : 0;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int length(byte[] der, int at) {
    int first = at + 1 < der.length ? der[at + 1] & 0xff : 0;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = 0; i < (first & 0x7f) && at + 2 + i < der.length; i++) {
      length = (length << 8) | (der[at + 2 + i] & 0xff);
    }
    return Math.max(0, length);
  }

  private static byte[] element(int tag, byte[]... parts) {
    var content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    var element = new ByteArrayOutputStream();
    element.write(tag);
    int length = content.size();
    if (length >= 0x80) {
      int bytes = length > 0xffff ? 3 : length > 0xff ? 2 : 1;
      element.write(0x80 | bytes);
      for (int i = bytes - 1; i >= 0; i--) {
        element.write(length >> (8 * i));
      }
    } else {
      element.write(length);
    }
    element.writeBytes(content.toByteArray());
    return element.toByteArray();
  }
}
