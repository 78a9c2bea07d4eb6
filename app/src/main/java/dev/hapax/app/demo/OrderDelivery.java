package dev.hapax.app.demo;

import dev.hapax.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** One order at one door of the server, as a request. */
record OrderDelivery(Door door, Order order) {

  /** The doors of the server for orders. */
  enum Door {
    /** A webhook of the shop, signed as Stripe signs. */
    ORDERS("/hooks/shop/orders"),
    /** A webhook of the cashier, signed after Standard Webhooks. */
    PAID("/hooks/shop/paid"),
    /** A program that starts a run over the API. */
    PAY("/api/flows/pay-order/runs");

    private final String path;

    Door(String path) {
      this.path = path;
    }

    String path() {
      return path;
    }
  }

  /** The content of a webhook: the same event each time it is delivered. */
  private record Event(String id, Object data) {}

  private record Payment(String orderId, long total) {}

  private record Shipment(String orderId) {}

  String body() {
    String event = "evt-" + order.orderId();
    return switch (door) {
      case ORDERS -> Json.write(new Event(event, order));
      case PAID -> Json.write(new Event(event, new Shipment(order.orderId())));
      case PAY -> Json.write(new Payment(order.orderId(), order.total()));
    };
  }

  /** Returns a fresh signature for each delivery, as providers do. */
  Map<String, String> signature(WebhookSecrets secrets, long epochSecond) {
    String body = body();
    return switch (door) {
      case ORDERS -> {
        String signed =
            HexFormat.of().formatHex(hmac(bytes(secrets.orders()), epochSecond + "." + body));
        yield Map.of("Stripe-Signature", "t=%d,v1=%s".formatted(epochSecond, signed));
      }
      case PAID -> {
        String id = "msg-" + order.orderId();
        byte[] key = Base64.getDecoder().decode(secrets.paid().substring("whsec_".length()));
        byte[] signed = hmac(key, "%s.%d.%s".formatted(id, epochSecond, body));
        yield Map.of(
            "webhook-id",
            id,
            "webhook-timestamp",
            Long.toString(epochSecond),
            "webhook-signature",
            "v1," + Base64.getEncoder().encodeToString(signed));
      }
      case PAY -> Map.of("Idempotency-Key", order.orderId());
    };
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(bytes(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
