package dev.hapax.app.preset;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hapax.json.Json;
import java.net.URLDecoder;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Signs deliveries as the providers document it, written apart from the code that checks them. It
 * has a secret per scheme; for schemes with a public key, that is the receiver's secret.
 */
final class SigningProvider {
  private static final String SHARED = "a-shared-secret-of-the-webhook";
  private static final String HEX =
      "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";

  private final String scheme;
  private final String header;
  private final String url;
  private final KeyPair pair;

  /**
   * A provider with this scheme.
   *
   * @param header of scheme hmac
   */
  SigningProvider(String scheme, String header, String url) throws GeneralSecurityException {
    this.scheme = scheme;
    this.header = header;
    this.url = url;
    var generator = KeyPairGenerator.getInstance(scheme.equals("sendgrid") ? "EC" : "Ed25519");
    if (scheme.equals("sendgrid")) {
      generator.initialize(new ECGenParameterSpec("secp256r1"));
    }
    this.pair = generator.generateKeyPair();
  }

  /** What the receiver stores. */
  String secret() {
    byte[] key = pair.getPublic().getEncoded();
    return switch (scheme) {
      case "sendgrid" -> Base64.getEncoder().encodeToString(key);
      case "discord" ->
          HexFormat.of().formatHex(Arrays.copyOfRange(key, key.length - 32, key.length));
      case "adyen" -> HEX;
      default -> SHARED;
    };
  }

  /** A secret of the same form that fits nothing. */
  String otherSecret() throws GeneralSecurityException {
    return switch (scheme) {
      case "sendgrid", "discord" -> new SigningProvider(scheme, header, url).secret();
      case "adyen" -> "ab".repeat(32);
      default -> "another secret";
    };
  }

  /** A body and its headers. */
  record Delivery(String body, Map<String, String> headers) {}

  Delivery sign(String body, Instant at) throws GeneralSecurityException {
    String seconds = Long.toString(at.getEpochSecond());
    var headers = new LinkedHashMap<String, String>();
    String content = body;
    switch (scheme) {
      case "stripe", "calendly" ->
          headers.put(
              scheme.equals("stripe") ? "Stripe-Signature" : "Calendly-Webhook-Signature",
              "t=%s,v1=%s".formatted(seconds, hex("HmacSHA256", seconds + "." + body)));
      case "github" -> headers.put("X-Hub-Signature-256", "sha256=" + hex("HmacSHA256", body));
      case "slack" -> {
        headers.put("X-Slack-Request-Timestamp", seconds);
        headers.put("X-Slack-Signature", "v0=" + hex("HmacSHA256", "v0:" + seconds + ":" + body));
      }
      case "xero" -> headers.put("x-xero-signature", base64("HmacSHA256", body));
      case "shopify" -> headers.put("X-Shopify-Hmac-SHA256", base64("HmacSHA256", body));
      case "square" ->
          headers.put("x-square-hmacsha256-signature", base64("HmacSHA256", url + body));
      case "twilio" ->
          headers.put("X-Twilio-Signature", base64("HmacSHA1", url + sortedFields(body)));
      case "hubspot" -> {
        String millis = Long.toString(at.toEpochMilli());
        headers.put("X-HubSpot-Request-Timestamp", millis);
        headers.put("X-HubSpot-Signature-v3", base64("HmacSHA256", "POST" + url + body + millis));
      }
      case "zendesk" -> {
        headers.put("X-Zendesk-Webhook-Signature-Timestamp", at.toString());
        headers.put("X-Zendesk-Webhook-Signature", base64("HmacSHA256", at + body));
      }
      case "sendgrid" -> {
        headers.put("X-Twilio-Email-Event-Webhook-Timestamp", seconds);
        headers.put(
            "X-Twilio-Email-Event-Webhook-Signature",
            Base64.getEncoder().encodeToString(signed("SHA256withECDSA", seconds + body)));
      }
      case "discord" -> {
        headers.put("X-Signature-Timestamp", seconds);
        headers.put(
            "X-Signature-Ed25519", HexFormat.of().formatHex(signed("Ed25519", seconds + body)));
      }
      case "adyen" -> content = withSignature(body);
      case "hmac" ->
          headers.put(
              header,
              switch (header) {
                case "Typeform-Signature" -> "sha256=" + base64("HmacSHA256", body);
                case "X-Notion-Signature" -> "sha256=" + hex("HmacSHA256", body);
                default -> hex("HmacSHA256", body);
              });
      default -> {}
    }
    return new Delivery(content, headers);
  }

  private static String sortedFields(String form) {
    var fields = new TreeMap<String, String>();
    for (String field : form.split("&", -1)) {
      String[] parts = field.split("=", 2);
      fields.put(URLDecoder.decode(parts[0], UTF_8), URLDecoder.decode(parts[1], UTF_8));
    }
    var text = new StringBuilder();
    fields.forEach((name, value) -> text.append(name).append(value));
    return text.toString();
  }

  private String withSignature(String body) throws GeneralSecurityException {
    JsonNode whole = Json.tree(body);
    var item = (ObjectNode) whole.path("notificationItems").path(0).path("NotificationRequestItem");
    String text =
        String.join(
            ":",
            item.path("pspReference").asString(""),
            item.path("originalReference").asString(""),
            item.path("merchantAccountCode").asString(""),
            item.path("merchantReference").asString(""),
            item.path("amount").path("value").asString(""),
            item.path("amount").path("currency").asString(""),
            item.path("eventCode").asString(""),
            item.path("success").asString(""));
    byte[] mac = mac("HmacSHA256", HexFormat.of().parseHex(HEX), text);
    item.putObject("additionalData").put("hmacSignature", Base64.getEncoder().encodeToString(mac));
    return whole.toString();
  }

  private byte[] signed(String algorithm, String text) throws GeneralSecurityException {
    Signature signer = Signature.getInstance(algorithm);
    signer.initSign(pair.getPrivate());
    signer.update(text.getBytes(UTF_8));
    return signer.sign();
  }

  private static String hex(String algorithm, String text) throws GeneralSecurityException {
    return HexFormat.of().formatHex(mac(algorithm, SHARED.getBytes(UTF_8), text));
  }

  private static String base64(String algorithm, String text) throws GeneralSecurityException {
    return Base64.getEncoder().encodeToString(mac(algorithm, SHARED.getBytes(UTF_8), text));
  }

  private static byte[] mac(String algorithm, byte[] key, String text)
      throws GeneralSecurityException {
    Mac mac = Mac.getInstance(algorithm);
    mac.init(new SecretKeySpec(key, algorithm));
    return mac.doFinal(text.getBytes(UTF_8));
  }
}
