package dev.hapax.app.webhook;

import dev.hapax.app.http.Problem;
import dev.hapax.json.Digest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Twilio's: HMAC-SHA1 in base64 over the address and the sorted fields of the form, each name and
 * value without a separator. A JSON body is signed by its hash, which the address carries.
 *
 * <p>The same signature fits forms that divide the text in another way ({@code a=bc} and {@code
 * ab=c}). The signed text is therefore what identifies a delivery, not its bytes.
 *
 * @param url the public address of the webhook, as Twilio knows it
 */
record TwilioSignature(String url) implements SignatureScheme {
  private static final String HEADER = "X-Twilio-Signature";
  private static final String BODY_HASH = "bodySHA256";
  private static final Pattern AUTHORITY =
      Pattern.compile("(?<start>https?://[^/?#]*?)(?<port>:\\d+)?(?<rest>[/?#].*)?");

  @Override
  public Verdict verify(WebhookDelivery delivery, List<String> secrets, Instant now) {
    String found = delivery.header(HEADER);
    byte[] signature = found == null ? null : Hmac.base64(found);
    if (signature == null) {
      return new Verdict.Refused(HEADER + " is missing or is no base64");
    }
    String hash = delivery.query(BODY_HASH);
    String fields = hash == null ? fields(delivery.body()) : "";
    if (fields == null) {
      return new Verdict.Refused("the body is no form, and its address has no " + BODY_HASH);
    }
    boolean genuine = hash == null || isHashOf(hash, delivery.body());
    boolean isSigned = false;
    for (String address : addresses(hash)) {
      byte[] signed = (address + fields).getBytes(StandardCharsets.UTF_8);
      isSigned |=
          Hmac.isSignedByAny(
              secrets, List.of(signature), secret -> Hmac.sha1(Hmac.bytes(secret), signed));
    }
    return genuine && isSigned
        ? new Verdict.Genuine()
        : new Verdict.Refused(HEADER + " does not match");
  }

  @Override
  public Map<String, String> sign(WebhookDelivery delivery, String secret, Stamp stamp) {
    String fields = isForm(delivery.body()) ? fields(delivery.body()) : null;
    if (fields == null) {
      throw Problem.invalidInput(
          "the saved event is no form. Twilio signs other bodies by their hash in the address, which cannot be sent from here");
    }
    byte[] signed = (url + fields).getBytes(StandardCharsets.UTF_8);
    return Map.of(HEADER, Hmac.base64(Hmac.sha1(Hmac.bytes(secret), signed)));
  }

  private static boolean isForm(byte[] body) {
    return WebhookBody.isForm(new String(body, StandardCharsets.UTF_8));
  }

  @Override
  public byte[] identified(WebhookDelivery delivery) {
    String fields = delivery.query(BODY_HASH) == null ? fields(delivery.body()) : null;
    return fields == null ? delivery.body() : fields.getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isHashOf(String hash, byte[] body) {
    byte[] told = Hmac.hex(hash);
    return told != null && MessageDigest.isEqual(told, Digest.sha256(body));
  }

  /** Twilio signs the address with the usual port or without it. */
  private List<String> addresses(@Nullable String hash) {
    var all = new ArrayList<String>();
    for (String address : List.of(url, withOtherPort())) {
      all.add(
          hash == null
              ? address
              : address + (address.contains("?") ? "&" : "?") + BODY_HASH + "=" + hash);
    }
    return all;
  }

  private String withOtherPort() {
    Matcher parts = AUTHORITY.matcher(url);
    if (!parts.matches()) {
      return url;
    }
    String usual = url.startsWith("https:") ? ":443" : ":80";
    String rest = parts.group("rest");
    return parts.group("start")
        + (parts.group("port") == null ? usual : "")
        + (rest == null ? "" : rest);
  }

  /** Returns names and values in the order of names; null if the bytes are no form. */
  private static @Nullable String fields(byte[] body) {
    var sorted = new TreeMap<String, SortedSet<String>>();
    String form = new String(body, StandardCharsets.UTF_8);
    for (String field : form.split("&", -1)) {
      int end = field.indexOf('=');
      if (field.isEmpty()) {
        continue;
      }
      String name = decoded(end < 0 ? field : field.substring(0, end));
      String value = end < 0 ? "" : decoded(field.substring(end + 1));
      if (name == null || value == null) {
        return null;
      }
      sorted.computeIfAbsent(name, _ -> new TreeSet<>()).add(value);
    }
    var text = new StringBuilder();
    sorted.forEach((name, values) -> values.forEach(value -> text.append(name).append(value)));
    return text.toString();
  }

  private static @Nullable String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
