package dev.hapax.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.webhook.SignatureScheme.Verdict;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.trigger.WebhookTrigger;
import dev.hapax.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Requests that the providers' own public libraries have signed are believed. {@code
 * src/test/tools} has the script that makes them anew; {@code PublicToolsTest} runs it.
 */
class LibraryVectorsTest {
  record Vector(
      String library,
      String scheme,
      String secret,
      long at,
      String body,
      Map<String, String> headers) {

    Verdict verify(String text, Instant now, List<String> secrets) {
      var sent = new LinkedHashMap<String, List<String>>();
      headers.forEach((name, value) -> sent.put(name, List.of(value)));
      return verifier()
          .verify(new WebhookDelivery(sent, text.getBytes(StandardCharsets.UTF_8)), secrets, now);
    }

    private SignatureScheme verifier() {
      var name = WebhookTrigger.Scheme.valueOf(scheme.toUpperCase(Locale.ROOT).replace('-', '_'));
      return Schemes.of(new WebhookTrigger.Verify(new Position("f", 1, 1), name, "s", null, null));
    }

    @Override
    public String toString() {
      return library + ", " + body.length() + " characters";
    }
  }

  static Stream<Vector> vectors() throws IOException {
    try (InputStream in = LibraryVectorsTest.class.getResourceAsStream("vectors.json")) {
      JsonNode all =
          Json.tree(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
      return all
          .valueStream()
          .map(one -> Json.read(one.toString(), Vector.class))
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void what_a_providers_library_signs_is_believed_and_nothing_else(Vector vector) {
    Instant then = Instant.ofEpochSecond(vector.at());

    assertThat(vector.verify(vector.body(), then, List.of("whsec_bm90aGlz", vector.secret())))
        .isEqualTo(new Verdict.Genuine());
    assertThat(vector.verify(vector.body() + " ", then, List.of(vector.secret())))
        .isInstanceOf(Verdict.Refused.class);
    assertThat(vector.verify(vector.body(), then, List.of("whsec_bm90aGlz")))
        .isInstanceOf(Verdict.Refused.class);
    if (!vector.scheme().equals("github")) { // which signs no time
      assertThat(
              vector.verify(
                  vector.body(), then.plus(Duration.ofMinutes(6)), List.of(vector.secret())))
          .isInstanceOf(Verdict.Refused.class);
    }
  }
}
