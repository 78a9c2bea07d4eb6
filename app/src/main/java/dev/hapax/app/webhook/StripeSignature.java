package dev.hapax.app.webhook;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Stripe's: {@code t=…,v1=…}, with the secret used as it is written, {@code whsec_} included. */
record StripeSignature(Age age) implements SignatureScheme {
  private static final String HEADER = "Stripe-Signature";

  @Override
  public Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now) {
    String header = delivery.header(HEADER);
    if (header == null) {
      return new Verdict.Refused(HEADER + " is missing");
    }
    String time = null;
    List<byte[]> signatures = new ArrayList<>();
    for (String part : header.split(",", -1)) {
      String one = part.strip();
      if (one.startsWith("t=")) {
        time = one.substring("t=".length());
      } else if (one.startsWith("v1=")) {
        byte[] signature = Hmac.hex(one.substring("v1=".length()));
        if (signature != null) {
          signatures.add(signature);
        }
      }
    }
    String tooOld = age.problem(time, now);
    if (tooOld != null) {
      return new Verdict.Refused(HEADER + ": " + tooOld);
    }
    byte[] signed = delivery.signedAfter(time + ".");
    return Hmac.isSignedByAny(
            secrets, signatures, secret -> Hmac.sha256(Hmac.bytes(secret), signed))
        ? new Verdict.Genuine()
        : new Verdict.Refused(HEADER + " does not match");
  }
}
