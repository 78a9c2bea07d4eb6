package dev.hapax.app.webhook;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Slack's: {@code v0=…} over {@code v0:time:body}. */
record SlackSignature(Age age) implements SignatureScheme {
  private static final String HEADER = "X-Slack-Signature";
  private static final String TIME = "X-Slack-Request-Timestamp";
  private static final String VERSION = "v0";

  @Override
  public Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now) {
    String header = delivery.header(HEADER);
    String time = delivery.header(TIME);
    if (header == null || !header.startsWith(VERSION + "=")) {
      return new Verdict.Refused(HEADER + " is missing or has another version than v0");
    }
    String tooOld = age.problem(time, now);
    if (tooOld != null) {
      return new Verdict.Refused(TIME + ": " + tooOld);
    }
    byte[] signature = Hmac.hex(header.substring(VERSION.length() + 1));
    byte[] signed = delivery.signedAfter(VERSION + ":" + time + ":");
    return signature != null
            && Hmac.isSignedByAny(
                secrets, List.of(signature), secret -> Hmac.sha256(Hmac.bytes(secret), signed))
        ? new Verdict.Genuine()
        : new Verdict.Refused(HEADER + " does not match");
  }

  @Override
  public Map<String, String> sign(WebhookDelivery delivery, String secret, Stamp stamp) {
    byte[] signed = delivery.signedAfter(VERSION + ":" + stamp.seconds() + ":");
    return Map.of(
        TIME,
        stamp.seconds(),
        HEADER,
        VERSION + "=" + Hmac.hex(Hmac.sha256(Hmac.bytes(secret), signed)));
  }
}
