package dev.hapax.app.webhook;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One request as it arrived. The body is its raw bytes: they were signed, and nothing reads them
 * before the signature has been checked.
 */
final class WebhookDelivery {
  private final Map<String, List<String>> headers = new TreeMap<>();
  private final byte[] body;

  WebhookDelivery(Map<String, List<String>> headers, byte[] body) {
    headers.forEach((name, values) -> this.headers.put(name.toLowerCase(Locale.ROOT), values));
    this.body = body.clone();
  }

  byte[] body() {
    return body.clone();
  }

  /** Returns null if it is missing, and also if it is repeated: then its value is ambiguous. */
  @Nullable String header(String name) {
    List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
    return values == null || values.size() != 1 ? null : values.getFirst().strip();
  }

  /** Returns the signed text: this prefix, then the body. */
  byte[] signedAfter(String prefix) {
    byte[] before = prefix.getBytes(StandardCharsets.UTF_8);
    byte[] signed = new byte[before.length + body.length];
    System.arraycopy(before, 0, signed, 0, before.length);
    System.arraycopy(body, 0, signed, before.length, body.length);
    return signed;
  }
}
