package dev.hapax.app.webhook;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Stripe's and Calendly's: {@code t=…,v1=…}, with the secret used as it is written, {@code whsec_}
 * included. Several {@code v1} are several secrets of the sender.
 */
record StripeSignature(String header, Age age) implements SignatureScheme {
  static StripeSignature stripe() {
    return new StripeSignature("Stripe-Signature", Age.FIVE_MINUTES);
  }

  static StripeSignature calendly() {
    return new StripeSignature("Calendly-Webhook-Signature", Age.THREE_MINUTES);
  }

  @Override
  public Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now) {
    String found = delivery.header(header);
    if (found == null) {
      return new Verdict.Refused(header + " is missing");
    }
    String time = null;
    List<byte[]> signatures = new ArrayList<>();
    for (String part : found.split(",", -1)) {
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
      return new Verdict.Refused(header + ": " + tooOld);
    }
    byte[] signed = delivery.signedAfter(time + ".");
    return Hmac.isSignedByAny(
            secrets, signatures, secret -> Hmac.sha256(Hmac.bytes(secret), signed))
        ? new Verdict.Genuine()
        : new Verdict.Refused(header + " does not match");
  }

  @Override
  public Map<String, String> sign(WebhookDelivery delivery, String secret, Stamp stamp) {
    byte[] signed = delivery.signedAfter(stamp.seconds() + ".");
    return Map.of(
        header,
        "t=%s,v1=%s".formatted(stamp.seconds(), Hmac.hex(Hmac.sha256(Hmac.bytes(secret), signed))));
  }
}
