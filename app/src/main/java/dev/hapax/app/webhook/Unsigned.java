package dev.hapax.app.webhook;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Scheme {@code none}, which must be written out: it trusts every sender that knows the path. */
record Unsigned() implements SignatureScheme {
  @Override
  public Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now) {
    return new Verdict.Genuine();
  }

  @Override
  public Map<String, String> sign(WebhookDelivery delivery, String secret, Stamp stamp) {
    return Map.of();
  }
}
