package dev.hapax.trial.sandbox;

import dev.hapax.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a destination answers.
 *
 * @param headers by lower-case name
 * @param body of HTTP: JSON, a text or a large body; otherwise what the step gets
 */
record Content(int status, Map<String, String> headers, @Nullable Object body) {
  static Content of(@Nullable Object body) {
    return new Content(200, Map.of(), body);
  }

  /** Adds the mark of a repeated answer. */
  Content with(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header.toLowerCase(Locale.ROOT), value);
    return new Content(status, more, body);
  }

  /** Returns the headers of an HTTP answer. */
  Map<String, String> allHeaders() {
    if (body == null
        || body instanceof LargeBody
        || body instanceof RawBody
        || headers.containsKey("content-type")) {
      return headers;
    }
    return with("content-type", body instanceof String ? "text/plain" : "application/json")
        .headers();
  }

  /** Returns the body as it is on the wire. */
  byte[] bytes() {
    if (body == null || status == 204) {
      return new byte[0];
    }
    if (body instanceof LargeBody large) {
      return large.content();
    }
    if (body instanceof RawBody raw) {
      return raw.content();
    }
    boolean isText =
        body instanceof String && !headers.getOrDefault("content-type", "").contains("json");
    String text = isText ? body.toString() : Json.write(body);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the answer as expressions see it under the name {@code response} or {@code output}. */
  Map<String, @Nullable Object> response() {
    var response = new LinkedHashMap<String, @Nullable Object>();
    response.put("status", status);
    response.put("headers", allHeaders());
    response.put("body", body);
    return response;
  }
}
