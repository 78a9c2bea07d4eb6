package dev.hapax.trial.recording;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flow.Fingerprint;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request as a recording knows it: without headers, and without what differs between two stores,
 * which are the key of the effect and the addresses of callbacks.
 *
 * @param query null if there is none
 * @param body for people: JSON or text; null if there is none, or if it is long
 * @param fingerprint of everything above and of the whole body; null: any body is meant
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RecordedRequest(
    String method,
    String path,
    @Nullable String query,
    @Nullable Object body,
    @Nullable String fingerprint) {
  private static final int MOST_SHOWN = 8_192;
  private static final String KEY = "<key>";
  private static final String CALLBACK = "<callback>";
  private static final Pattern CALLBACKS =
      Pattern.compile("https?://[^\\s\"'<>/]+/(?:api/callbacks|approvals)/[A-Za-z0-9._~-]+");

  /** A request on its way out. */
  record Sent(String method, String url, @Nullable String body, String wireKey) {}

  static RecordedRequest of(Sent sent) {
    URI address = URI.create(sent.url());
    String path = steady(String.valueOf(address.getRawPath()), sent.wireKey());
    String query =
        address.getRawQuery() == null ? null : steady(address.getRawQuery(), sent.wireKey());
    String body = sent.body() == null ? null : steady(sent.body(), sent.wireKey());
    String content = body == null ? "" : contentHash(body);
    String fingerprint =
        Fingerprint.of(
                Json.write(
                    List.of(sent.method(), path, Objects.requireNonNullElse(query, ""), content)))
            .hex();
    return new RecordedRequest(sent.method(), path, query, shown(body), fingerprint);
  }

  private static String steady(String text, String wireKey) {
    String withoutKey = wireKey.isEmpty() ? text : text.replace(wireKey, KEY);
    return CALLBACKS.matcher(withoutKey).replaceAll(CALLBACK);
  }

  /** Two JSON texts that differ only in spaces or the order of members are the same content. */
  private static String contentHash(String body) {
    try {
      return Fingerprint.of(body).hex();
    } catch (NotSerializable | IllegalArgumentException e) {
      return "text " + Fingerprint.of(Digest.sha256(body.getBytes(StandardCharsets.UTF_8))).hex();
    }
  }

  private static @Nullable Object shown(@Nullable String body) {
    if (body == null || body.length() > MOST_SHOWN) {
      return null;
    }
    Object json = RecordedAnswer.jsonIn(body);
    return json == null ? body : json;
  }

  /** The same request without what a secret could be in. */
  RecordedRequest with(String otherPath, @Nullable String otherQuery, @Nullable Object otherBody) {
    return new RecordedRequest(method, otherPath, otherQuery, otherBody, fingerprint);
  }

  /** Whether this recorded request is exactly the one that is asked. */
  boolean isExactly(RecordedRequest asked) {
    return fingerprint != null && fingerprint.equals(asked.fingerprint);
  }

  /** Whether this recorded request was opened for any body by a person, and fits. */
  boolean isOpenFor(RecordedRequest asked) {
    return fingerprint == null
        && method.equals(asked.method)
        && path.equals(asked.path)
        && Objects.equals(query, asked.query);
  }

  /** Returns how people call it. */
  String shown() {
    return "%s %s%s".formatted(method, path, query == null ? "" : "?" + query);
  }
}
