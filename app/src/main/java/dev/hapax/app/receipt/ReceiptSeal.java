package dev.hapax.app.receipt;

import dev.hapax.json.CanonicalJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import tools.jackson.databind.JsonNode;

/** What the signature of a receipt covers, and whether a signature is good. Needs no server. */
public final class ReceiptSeal {
  private static final String ALGORITHM = "Ed25519";
  private static final String KIND = "hapax receipt";

  private ReceiptSeal() {}

  /**
   * Returns the bytes that are signed. Each part has its length before it, and the kind is the
   * first, so that no statement of another kind has the same bytes. The content is in canonical
   * form: white space and the order of members do not count.
   */
  public static byte[] content(JsonNode receipt, String key) {
    byte[][] parts = {
      KIND.getBytes(StandardCharsets.UTF_8),
      CanonicalJson.of(receipt).getBytes(StandardCharsets.UTF_8),
      key.getBytes(StandardCharsets.UTF_8)
    };
    int size = 0;
    for (byte[] part : parts) {
      size += Integer.BYTES + part.length;
    }
    var content = ByteBuffer.allocate(size);
    for (byte[] part : parts) {
      content.putInt(part.length).put(part);
    }
    return content.array();
  }

  /** Returns whether the signature fits the content and the key in the receipt. */
  public static boolean isSigned(SignedReceipt receipt) {
    try {
      PublicKey key =
          KeyFactory.getInstance(ALGORITHM)
              .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(receipt.key())));
      Signature verifier = Signature.getInstance(ALGORITHM);
      verifier.initVerify(key);
      verifier.update(content(receipt.receipt(), receipt.key()));
      return verifier.verify(Base64.getDecoder().decode(receipt.signature()));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false;
    }
  }
}
