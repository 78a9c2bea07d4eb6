package dev.hapax.app.attack;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A provider of webhooks: signs deliveries by the rules of its scheme. */
enum Sender {
  GITHUB("github", "X-Hub-Signature-256", ""),
  HMAC("hmac", "X-Signature", ""),
  STRIPE("stripe", "Stripe-Signature", ""),
  SLACK("slack", "X-Slack-Signature", "X-Slack-Request-Timestamp"),
  STANDARD("standard-webhooks", "webhook-signature", "webhook-timestamp");

  /** Base64, so that it can be a secret of every scheme. */
  static final String SECRET = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  final String scheme;
  final String signature;

  /** The header with the time; empty if the scheme has none of its own. */
  final String time;

  Sender(String scheme, String signature, String time) {
    this.scheme = scheme;
    this.signature = signature;
    this.time = time;
  }

  boolean hasTime() {
    return this == STRIPE || !time.isEmpty();
  }

  /** The headers of a delivery with this body. */
  Map<String, String> sign(String body, String at, String secret) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", "application/json");
    byte[] key = secret.getBytes(StandardCharsets.UTF_8);
    switch (this) {
      case GITHUB -> {
        headers.put(signature, "sha256=" + hex(mac(key, body)));
        headers.put("X-GitHub-Delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958");
        headers.put("X-GitHub-Event", "push");
      }
      case HMAC -> headers.put(signature, hex(mac(key, body)));
      case STRIPE -> headers.put(signature, "t=" + at + ",v1=" + hex(mac(key, at + "." + body)));
      case SLACK -> {
        headers.put(time, at);
        headers.put(signature, "v0=" + hex(mac(key, "v0:" + at + ":" + body)));
      }
      case STANDARD -> {
        headers.put("webhook-id", "msg_1");
        headers.put(time, at);
        headers.put(signature, standard("msg_1", at, body, secret));
      }
    }
    return headers;
  }

  static String standard(String id, String at, String body, String secret) {
    byte[] key = Base64.getDecoder().decode(secret.replace("whsec_", ""));
    return "v1," + Base64.getEncoder().encodeToString(mac(key, id + "." + at + "." + body));
  }

  private static byte[] mac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      // To HMAC, no key and a key of zero bytes are the same.
      mac.init(new SecretKeySpec(key.length == 0 ? new byte[1] : key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
