package dev.hapax.app.webhook;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HMAC-SHA256 in base64 over texts that are joined without a separator: something fixed, the
 * body and a time. The body is JSON and a time never begins or ends as JSON does, so that the same
 * text has no other parts.
 *
 * @param header that holds the signature
 * @param before the fixed text, such as the address; may be empty
 * @param time null if the scheme signs none
 */
record JoinedSignature(String header, String before, @Nullable SignedTime time)
    implements SignatureScheme {

  /** A time in a header, and whether it is signed before the body or behind it. */
  record SignedTime(String header, Age.Unit unit, Age age, boolean isFirst) {}

  /** Square's: the address and the body. */
  static JoinedSignature square(String url) {
    return new JoinedSignature("x-square-hmacsha256-signature", url, null);
  }

  /** HubSpot's version 3: method, address, body and time. */
  static JoinedSignature hubSpot(String url) {
    return new JoinedSignature(
        "X-HubSpot-Signature-v3",
        "POST" + url,
        new SignedTime(
            "X-HubSpot-Request-Timestamp", Age.Unit.MILLISECONDS, Age.FIVE_MINUTES, false));
  }

  /** Zendesk's: time and body. */
  static JoinedSignature zendesk() {
    return new JoinedSignature(
        "X-Zendesk-Webhook-Signature",
        "",
        new SignedTime(
            "X-Zendesk-Webhook-Signature-Timestamp", Age.Unit.RFC_3339, Age.ONE_DAY, true));
  }

  @Override
  public Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now) {
    String found = delivery.header(header);
    if (found == null) {
      return new Verdict.Refused(header + " is missing");
    }
    String at = time == null ? "" : delivery.header(time.header());
    String tooOld = time == null ? null : time.age().problem(at, time.unit(), now);
    if (time != null && tooOld != null) {
      return new Verdict.Refused(time.header() + ": " + tooOld);
    }
    byte[] signed = signed(delivery, String.valueOf(at));
    byte[] signature = Hmac.base64(found);
    return signature != null
            && Hmac.isSignedByAny(
                secrets, List.of(signature), secret -> Hmac.sha256(Hmac.bytes(secret), signed))
        ? new Verdict.Genuine()
        : new Verdict.Refused(header + " does not match");
  }

  private byte[] signed(WebhookDelivery delivery, String at) {
    boolean isFirst = time != null && time.isFirst();
    return delivery.signedBetween(isFirst ? before + at : before, isFirst ? "" : at);
  }

  @Override
  public Map<String, String> sign(WebhookDelivery delivery, String secret, Stamp stamp) {
    var headers = new LinkedHashMap<String, String>();
    String at = time == null ? "" : time.unit().write(stamp.at());
    if (time != null) {
      headers.put(time.header(), at);
    }
    headers.put(header, Hmac.base64(Hmac.sha256(Hmac.bytes(secret), signed(delivery, at))));
    return headers;
  }
}
