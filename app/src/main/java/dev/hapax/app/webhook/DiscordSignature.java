package dev.hapax.app.webhook;

import java.time.Instant;
import java.util.List;

/** Discord's: Ed25519 over time and body. The secret is the application's public key in hex. */
record DiscordSignature(Age age) implements SignatureScheme {
  private static final String HEADER = "X-Signature-Ed25519";
  private static final String TIME = "X-Signature-Timestamp";

  @Override
  public Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now) {
    String found = delivery.header(HEADER);
    String time = delivery.header(TIME);
    byte[] signature = found == null ? null : Hmac.hex(found);
    if (signature == null) {
      return new Verdict.Refused(HEADER + " is missing or is no hexadecimal number");
    }
    String tooOld = age.problem(time, now);
    if (tooOld != null) {
      return new Verdict.Refused(TIME + ": " + tooOld);
    }
    byte[] signed = delivery.signedAfter(String.valueOf(time));
    boolean genuine = false;
    for (String secret : secrets) {
      byte[] key = Hmac.hex(secret);
      genuine |= key != null && canUse(secret) && Ed25519.isSigned(key, signed, signature);
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
    byte[] key = Hmac.hex(secret);
    return key != null && key.length == Ed25519.KEY_BYTES;
  }
}
