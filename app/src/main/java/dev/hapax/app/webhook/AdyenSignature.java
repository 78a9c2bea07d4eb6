package dev.hapax.app.webhook;

import dev.hapax.app.http.Problem;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Adyen's: the body carries the signature of eight of its fields, HMAC-SHA256 in base64 with a
 * hexadecimal key. The other fields are not signed, so that the signed ones identify the event.
 */
record AdyenSignature() implements SignatureScheme {
  private static final String SIGNATURE = "additionalData.hmacSignature";

  /** The signed fields of the one item of a notification. */
  private record Item(
      String reference,
      String original,
      String account,
      String merchantReference,
      String value,
      String currency,
      String code,
      String success,
      String signature) {

    private String signed() {
      return String.join(
          ":", reference, original, account, merchantReference, value, currency, code, success);
    }

    /**
     * The fields are joined by colons. If only one of them can contain any, the text has no other
     * parts.
     */
    private boolean isAmbiguous() {
      return Stream.of(reference, original, account, value, currency, code, success)
          .anyMatch(field -> field.indexOf(':') >= 0);
    }
  }

  @Override
  public Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now) {
    Item item = item(delivery);
    if (item == null) {
      return new Verdict.Refused("expected notificationItems with one item and its " + SIGNATURE);
    }
    if (item.isAmbiguous()) {
      return new Verdict.Refused("a signed field other than merchantReference contains a colon");
    }
    byte[] signature = Hmac.base64(item.signature());
    byte[] signed = item.signed().getBytes(StandardCharsets.UTF_8);
    return signature != null
            && Hmac.isSignedByAny(
                secrets, List.of(signature), secret -> Hmac.sha256(keyOf(secret), signed))
        ? new Verdict.Genuine()
        : new Verdict.Refused(SIGNATURE + " does not match");
  }

  /** The signature is in the body. */
  @Override
  public Map<String, String> sign(WebhookDelivery delivery, String secret, Stamp stamp) {
    return Map.of();
  }

  @Override
  public byte[] withSignature(byte[] body, String secret) {
    Item item = item(new WebhookDelivery(Map.of(), body));
    if (item == null || item.isAmbiguous()) {
      throw Problem.invalidInput(
          "the saved event: expected notificationItems with one item, its %s, and no colon in a signed field other than merchantReference"
              .formatted(SIGNATURE));
    }
    JsonNode whole = Json.tree(new String(body, StandardCharsets.UTF_8));
    ObjectNode data =
        (ObjectNode)
            whole
                .path("notificationItems")
                .path(0)
                .path("NotificationRequestItem")
                .path("additionalData");
    byte[] signed = item.signed().getBytes(StandardCharsets.UTF_8);
    data.put("hmacSignature", Hmac.base64(Hmac.sha256(keyOf(secret), signed)));
    return whole.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean canUse(String secret) {
    return !secret.isEmpty() && Hmac.hex(secret) != null;
  }

  private static byte[] keyOf(String secret) {
    byte[] key = Hmac.hex(secret);
    if (key == null || key.length == 0) {
      throw new IllegalArgumentException("an Adyen HMAC key is hexadecimal, but this one is not");
    }
    return key;
  }

  @Override
  public byte[] identified(WebhookDelivery delivery) {
    Item item = item(delivery);
    return item == null ? delivery.body() : item.signed().getBytes(StandardCharsets.UTF_8);
  }

  /** An event that Adyen sends again has the same code and reference. */
  @Override
  public @Nullable String signedIdOf(WebhookDelivery delivery) {
    Item item = item(delivery);
    return item == null
        ? null
        : "%s:%s:%s".formatted(item.code(), item.reference(), item.success());
  }

  private static @Nullable Item item(WebhookDelivery delivery) {
    JsonNode body;
    try {
      body = Json.tree(new String(delivery.body(), StandardCharsets.UTF_8));
    } catch (NotSerializable e) {
      return null;
    }
    JsonNode items = body.path("notificationItems");
    JsonNode item = items.path(0).path("NotificationRequestItem");
    JsonNode signature = item.path("additionalData").path("hmacSignature");
    if (items.size() != 1 || !item.isObject() || !signature.isString()) {
      return null;
    }
    return new Item(
        text(item.path("pspReference")),
        text(item.path("originalReference")),
        text(item.path("merchantAccountCode")),
        text(item.path("merchantReference")),
        text(item.path("amount").path("value")),
        text(item.path("amount").path("currency")),
        text(item.path("eventCode")),
        text(item.path("success")),
        signature.stringValue());
  }

  private static String text(JsonNode field) {
    if (field.isMissingNode() || field.isNull()) {
      return "";
    }
    return field.isString() ? field.stringValue() : field.toString();
  }
}
