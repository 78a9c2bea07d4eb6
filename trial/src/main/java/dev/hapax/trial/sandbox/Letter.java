package dev.hapax.trial.sandbox;

import dev.hapax.trial.sandbox.SandboxRequest.Way;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is sent, before it has a number.
 *
 * @param sameness how its destination recognizes it
 * @param repeatMark the header that marks a repeated answer; null if there is none
 */
record Letter(
    Way way,
    @Nullable String connection,
    String method,
    String url,
    Map<String, String> headers,
    @Nullable String body,
    Sameness sameness,
    @Nullable String repeatMark) {
  /** A letter of another way than HTTP. */
  static Letter of(Way way, String method, String place, @Nullable String body, Sameness same) {
    return new Letter(way, place, method, place, Map.of(), body, same, null);
  }

  @Nullable String key() {
    return sameness instanceof Sameness.ByKey key ? key.key() : null;
  }

  String shown() {
    return method + " " + url;
  }
}
