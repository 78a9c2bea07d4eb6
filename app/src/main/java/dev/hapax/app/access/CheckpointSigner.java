package dev.hapax.app.access;

import dev.hapax.app.secret.Vault;
import dev.hapax.time.Clock;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;

/**
 * Signs checkpoints of the audit log. The private key is sealed in the vault, so a person who has
 * only the database cannot sign. A person who also has the master key can sign new checkpoints, but
 * cannot change lines that an existing one covers.
 */
final class CheckpointSigner {
  private static final String ALGORITHM = "Ed25519";
  private static final String SECRET = "audit-signing-key";

  private final PrivateKey privateKey;
  private final String publicKey;
  private final Clock clock;

  CheckpointSigner(Vault vault, Clock clock) {
    String[] parts = vault.ownSecret(SECRET, CheckpointSigner::fresh).split(" ", -1);
    this.privateKey = privateKey(parts[0]);
    this.publicKey = parts[1];
    this.clock = clock;
  }

  /** Both halves, in base64, so that the public one needs not be computed. */
  private static String fresh() {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      return base64(pair.getPrivate().getEncoded()) + " " + base64(pair.getPublic().getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + ALGORITHM, e);
    }
  }

  private static PrivateKey privateKey(String text) {
    try {
      return KeyFactory.getInstance(ALGORITHM)
          .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key that signs checkpoints cannot be read", e);
    }
  }

  AuditCheckpoint sign(String store, String tenant, long number, String mark) {
    Instant now = clock.now();
    var unsigned = new AuditCheckpoint(store, tenant, number, mark, now, publicKey, "");
    return new AuditCheckpoint(
        store, tenant, number, mark, now, publicKey, sign(content(unsigned)));
  }

  String key() {
    return publicKey;
  }

  /** Returns the signature, in base64; the content begins with its kind. */
  String sign(byte[] content) {
    try {
      Signature signer = Signature.getInstance(ALGORITHM);
      signer.initSign(privateKey);
      signer.update(content);
      return base64(signer.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the statement cannot be signed", e);
    }
  }

  /** Returns whether the checkpoint is as this server, or one with the same vault, signed it. */
  boolean isOurs(AuditCheckpoint checkpoint) {
    return publicKey.equals(checkpoint.key()) && isSigned(checkpoint);
  }

  /** Returns whether the signature fits the public key in the checkpoint. */
  private static boolean isSigned(AuditCheckpoint checkpoint) {
    try {
      PublicKey key =
          KeyFactory.getInstance(ALGORITHM)
              .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(checkpoint.key())));
      Signature verifier = Signature.getInstance(ALGORITHM);
      verifier.initVerify(key);
      verifier.update(content(checkpoint));
      return verifier.verify(Base64.getDecoder().decode(checkpoint.signature()));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false;
    }
  }

  /** Each part with its length before it, so that no two statements have the same bytes. */
  private static byte[] content(AuditCheckpoint checkpoint) {
    String[] parts = {
      "hapax audit checkpoint",
      checkpoint.store(),
      checkpoint.tenant(),
      Long.toString(checkpoint.number()),
      checkpoint.mark(),
      checkpoint.at().toString(),
      checkpoint.key()
    };
    int size = 0;
    byte[][] bytes = new byte[parts.length][];
    for (int i = 0; i < parts.length; i++) {
      bytes[i] = parts[i].getBytes(StandardCharsets.UTF_8);
      size += Integer.BYTES + bytes[i].length;
    }
    var content = ByteBuffer.allocate(size);
    for (byte[] part : bytes) {
      content.putInt(part.length).put(part);
    }
    return content.array();
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
