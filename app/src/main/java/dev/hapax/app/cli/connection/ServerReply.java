package dev.hapax.app.cli.connection;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The answer of a server. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ServerReply(int status, Headers headers, byte[] content) {

  /** The headers by name. */
  @FunctionalInterface
  interface Headers {
    @Nullable String get(String name);
  }

  /** Returns the body; an empty one is an empty object. */
  public JsonNode json() {
    if (content.length == 0) {
      return JsonNodeFactory.instance.objectNode();
    }
    try {
      return Json.tree(text());
    } catch (NotSerializable _) {
      throw Refusal.of(
              Exit.UNREACHABLE,
              "unexpected-answer",
              "the answer is not JSON, so the address is not a Hapax server")
          .hint("check the address: --url, HAPAX_URL or the profile");
    }
  }

  public String text() {
    return new String(content, StandardCharsets.UTF_8);
  }

  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /** Returns the problem document of RFC 9457; null if the body is none. */
  @Nullable JsonNode problem() {
    try {
      JsonNode body = Json.tree(text());
      return body.isObject() && (body.has("type") || body.has("title")) ? body : null;
    } catch (NotSerializable _) {
      return null;
    }
  }
}
