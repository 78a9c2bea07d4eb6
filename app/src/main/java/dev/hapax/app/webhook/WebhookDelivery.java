package dev.hapax.app.webhook;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
  private final Query query;
  private byte[] identified;

  /** The query parameters of the address that was called. */
  @FunctionalInterface
  interface Query {
    /** Returns null if there is none of this name. */
    @Nullable String value(String name);
  }

  WebhookDelivery(Map<String, List<String>> headers, byte[] body) {
    this(headers, body, _ -> null);
  }

  WebhookDelivery(Map<String, List<String>> headers, byte[] body, Query query) {
    this.query = query;
    headers.forEach((name, values) -> this.headers.put(name.toLowerCase(Locale.ROOT), values));
    this.body = body.clone();
    this.identified = this.body;
  }

  /** Says that other bytes than those of the body identify it: all that is signed. */
  void identifyBy(byte[] signed) {
    identified = signed.clone();
  }

  /** Returns the bytes whose hash identifies a delivery without an id. */
  byte[] identified() {
    return identified.clone();
  }

  byte[] body() {
    return body.clone();
  }

  /** Returns null if it is missing, and also if it is repeated: then its value is ambiguous. */
  @Nullable String header(String name) {
    List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
    return values == null || values.size() != 1 ? null : values.getFirst().strip();
  }

  @Nullable String query(String name) {
    return query.value(name);
  }

  /** Returns the signed text: this prefix, then the body. */
  byte[] signedAfter(String prefix) {
    return signedBetween(prefix, "");
  }

  /** Returns the signed text: this prefix, the body, then this suffix. */
  byte[] signedBetween(String prefix, String suffix) {
    byte[] before = prefix.getBytes(StandardCharsets.UTF_8);
    byte[] behind = suffix.getBytes(StandardCharsets.UTF_8);
    byte[] signed = Arrays.copyOf(before, before.length + body.length + behind.length);
    System.arraycopy(body, 0, signed, before.length, body.length);
    System.arraycopy(behind, 0, signed, before.length + body.length, behind.length);
    return signed;
  }
}
