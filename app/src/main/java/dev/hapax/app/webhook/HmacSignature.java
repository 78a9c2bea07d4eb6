package dev.hapax.app.webhook;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Any sender's HMAC-SHA256 of the raw body in a header.
 *
 * @param header that holds the signature
 * @param prefix of the signature in it, such as {@code sha256=}; may be empty
 */
record HmacSignature(String header, String prefix, Digits digits) implements SignatureScheme {

  /** The encoding of the signature. */
  enum Digits {
    HEX,
    BASE64,
    /** The one of the two that fits, with or without GitHub's prefix: no text can be both. */
    ANY;

    private static final int HEX_DIGITS = 64;
    private static final String PREFIX = "sha256=";

    byte @Nullable [] read(String text) {
      return switch (this) {
        case HEX -> Hmac.hex(text);
        case BASE64 -> Hmac.base64(text);
        case ANY -> readAny(text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text);
      };
    }

    private static byte @Nullable [] readAny(String text) {
      return text.length() == HEX_DIGITS ? Hmac.hex(text) : Hmac.base64(text);
    }
  }

  /** GitHub's: a hash of the body alone, with no time in it. */
  static HmacSignature gitHub() {
    return new HmacSignature("X-Hub-Signature-256", "sha256=", Digits.HEX);
  }

  /** Shopify's: a hash of the body alone. The header with the event's id is not signed. */
  static HmacSignature shopify() {
    return new HmacSignature("X-Shopify-Hmac-Sha256", "", Digits.BASE64);
  }

  /** Xero's: a hash of the body alone. */
  static HmacSignature xero() {
    return new HmacSignature("x-xero-signature", "", Digits.BASE64);
  }

  @Override
  public Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now) {
    String found = delivery.header(header);
    if (found == null || !found.startsWith(prefix)) {
      return new Verdict.Refused(
          "%s is missing or does not begin with '%s'".formatted(header, prefix));
    }
    byte[] signature = digits.read(found.substring(prefix.length()));
    byte[] signed = delivery.signedAfter("");
    return signature != null
            && Hmac.isSignedByAny(
                secrets, List.of(signature), secret -> Hmac.sha256(Hmac.bytes(secret), signed))
        ? new Verdict.Genuine()
        : new Verdict.Refused(header + " does not match");
  }

  @Override
  public Map<String, String> sign(WebhookDelivery delivery, String secret, Stamp stamp) {
    byte[] signature = Hmac.sha256(Hmac.bytes(secret), delivery.signedAfter(""));
    return Map.of(
        header, prefix + (digits == Digits.BASE64 ? Hmac.base64(signature) : Hmac.hex(signature)));
  }
}
