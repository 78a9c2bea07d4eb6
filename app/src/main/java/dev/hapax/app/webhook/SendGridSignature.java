package dev.hapax.app.webhook;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SendGrid's: ECDSA on P-256 over time and body. The secret is the public key as SendGrid shows it,
 * base64 of its DER form.
 */
record SendGridSignature(Age age) implements SignatureScheme {
  private static final String HEADER = "X-Twilio-Email-Event-Webhook-Signature";
  private static final String TIME = "X-Twilio-Email-Event-Webhook-Timestamp";
  private static final int P256_BITS = 256;

  @Override
  public Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now) {
    String found = delivery.header(HEADER);
    String time = delivery.header(TIME);
    byte[] signature = found == null ? null : Hmac.base64(found);
    if (signature == null) {
      return new Verdict.Refused(HEADER + " is missing or is no base64");
    }
    String tooOld = age.problem(time, now);
    if (tooOld != null) {
      return new Verdict.Refused(TIME + ": " + tooOld);
    }
    byte[] signed = delivery.signedAfter(String.valueOf(time));
    boolean genuine = false;
    for (String secret : secrets) {
      genuine |= isSigned(secret, signed, signature);
    }
    return genuine ? new Verdict.Genuine() : new Verdict.Refused(HEADER + " does not match");
  }

  /** Its secret is the public half of a key. */
  @Override
  public boolean canSign(String secret) {
    return false;
  }

  @Override
  public boolean canUse(String secret) {
    return key(secret) != null;
  }

  private static boolean isSigned(String secret, byte[] signed, byte[] signature) {
    PublicKey key = key(secret);
    if (key == null) {
      return false;
    }
    try {
      Signature check = Signature.getInstance("SHA256withECDSA");
      check.initVerify(key);
      check.update(signed);
      return check.verify(signature);
    } catch (GeneralSecurityException e) {
      return false; // bytes that are no signature at all
    }
  }

  /** Returns null if the text is no public key of this curve. */
  private static @Nullable PublicKey key(String text) {
    byte[] der = Hmac.base64(text);
    if (der == null) {
      return null;
    }
    try {
      PublicKey key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(der));
      return key instanceof ECPublicKey curve
              && curve.getParams().getCurve().getField().getFieldSize() == P256_BITS
          ? key
          : null;
    } catch (GeneralSecurityException e) {
      return null;
    }
  }
}
