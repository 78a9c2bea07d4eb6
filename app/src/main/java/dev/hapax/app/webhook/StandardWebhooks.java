package dev.hapax.app.webhook;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Standard Webhooks 1.0: {@code v1} is a keyed hash, {@code v1a} an ed25519 signature. A secret
 * that begins with {@code whpk_} is a public key and checks only the second, any other only the
 * first.
 */
record StandardWebhooks(Age age) implements SignatureScheme {
  private static final String PUBLIC_KEY = "whpk_";
  private static final String SECRET = "whsec_";

  @Override
  public Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now) {
    String id = delivery.header("webhook-id");
    String time = delivery.header("webhook-timestamp");
    String signatures = delivery.header("webhook-signature");
    if (id == null || id.isEmpty() || signatures == null) {
      return new Verdict.Refused("webhook-id or webhook-signature is missing");
    }
    if (isAmbiguous(id)) {
      return new Verdict.Refused("webhook-id contains a number between full stops");
    }
    String tooOld = age.problem(time, now);
    if (tooOld != null) {
      return new Verdict.Refused("webhook-timestamp: " + tooOld);
    }
    byte[] signed = delivery.signedAfter(id + "." + time + ".");
    List<String> shared = secrets.stream().filter(key -> !key.startsWith(PUBLIC_KEY)).toList();
    List<String> published = secrets.stream().filter(key -> key.startsWith(PUBLIC_KEY)).toList();
    boolean genuine =
        Hmac.isSignedByAny(
            shared, marked(signatures, "v1,"), secret -> Hmac.sha256(keyOf(secret), signed));
    for (byte[] signature : marked(signatures, "v1a,")) {
      for (String key : published) {
        genuine |= isSignedWith(key, signed, signature);
      }
    }
    return genuine
        ? new Verdict.Genuine()
        : new Verdict.Refused("webhook-signature does not match");
  }

  @Override
  public Map<String, String> sign(WebhookDelivery delivery, String secret, Stamp stamp) {
    if (isAmbiguous(stamp.id())) {
      throw new IllegalArgumentException(
          "event id '%s': expected no number between full stops, which receivers refuse"
              .formatted(stamp.id()));
    }
    byte[] signed = delivery.signedAfter(stamp.id() + "." + stamp.seconds() + ".");
    return Map.of(
        "webhook-id",
        stamp.id(),
        "webhook-timestamp",
        stamp.seconds(),
        "webhook-signature",
        "v1," + Hmac.base64(Hmac.sha256(keyOf(secret), signed)));
  }

  @Override
  public boolean canSign(String secret) {
    return canUse(secret) && !secret.startsWith(PUBLIC_KEY);
  }

  /**
   * The signed text joins id, time and body by full stops. A part of the id that could be the time
   * would let the same signature cover another id and another body.
   */
  private static boolean isAmbiguous(String id) {
    String[] parts = id.split("\\.", -1);
    for (int i = 1; i < parts.length; i++) {
      if (parts[i].chars().allMatch(Character::isDigit)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean canUse(String secret) {
    byte[] key =
        secret.startsWith(PUBLIC_KEY)
            ? Hmac.base64(secret.substring(PUBLIC_KEY.length()))
            : Hmac.base64(secret.startsWith(SECRET) ? secret.substring(SECRET.length()) : secret);
    return key != null
        && (secret.startsWith(PUBLIC_KEY) ? key.length == Ed25519.KEY_BYTES : key.length > 0);
  }

  @Override
  public @Nullable String signedIdOf(WebhookDelivery delivery) {
    return delivery.header("webhook-id");
  }

  /** Splits the list at spaces; ignores entries that are no base64. */
  private static List<byte[]> marked(String signatures, String mark) {
    List<byte[]> found = new ArrayList<>();
    for (String one : signatures.split(" ", -1)) {
      byte[] signature = one.startsWith(mark) ? Hmac.base64(one.substring(mark.length())) : null;
      if (signature != null) {
        found.add(signature);
      }
    }
    return found;
  }

  private static byte[] keyOf(String secret) {
    byte[] key =
        Hmac.base64(secret.startsWith(SECRET) ? secret.substring(SECRET.length()) : secret);
    if (key == null || key.length == 0) {
      throw new IllegalArgumentException(
          "a Standard Webhooks secret is 'whsec_' and base64, but this one is not");
    }
    return key;
  }

  private static boolean isSignedWith(String publicKey, byte[] signed, byte[] signature) {
    byte[] raw = Hmac.base64(publicKey.substring(PUBLIC_KEY.length()));
    if (raw == null || raw.length != Ed25519.KEY_BYTES) {
      throw new IllegalArgumentException(
          "a Standard Webhooks public key is 'whpk_' and 32 bytes in base64, but this one is not");
    }
    return Ed25519.isSigned(raw, signed, signature);
  }
}
