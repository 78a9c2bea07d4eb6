package dev.hapax.app.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.webhook.SignatureScheme.Verdict;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.trigger.WebhookTrigger;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that the providers' own public libraries have signed or accepted are believed, and
 * nothing else. {@code src/test/tools/providers} has the script that makes them anew. If its
 * packages are installed there (npm ci), the libraries check the kept requests again.
 */
class ProviderVectorsTest {
  private static final Path BASE = Path.of(System.getProperty("basedir", "app"));
  private static final Path VECTORS =
      BASE.resolve("src/test/resources/dev/hapax/app/webhook/provider-vectors.json");

  /** A request; {@code header} is that of scheme hmac. */
  record Vector(
      String library,
      String scheme,
      String secret,
      long at,
      String body,
      Map<String, String> headers,
      @Nullable String url,
      @Nullable String header,
      @Nullable Map<String, String> query) {

    Verdict verify(Map<String, String> told, String text, List<String> secrets, Instant now) {
      var sent = new LinkedHashMap<String, List<String>>();
      told.forEach((name, value) -> sent.put(name, List.of(value)));
      var delivery =
          new WebhookDelivery(
              sent,
              text.getBytes(StandardCharsets.UTF_8),
              name -> query == null ? null : query.get(name));
      return verifier().verify(delivery, secrets, now);
    }

    SignatureScheme verifier() {
      var name = WebhookTrigger.Scheme.valueOf(scheme.toUpperCase(Locale.ROOT).replace('-', '_'));
      return Schemes.of(new WebhookTrigger.Verify(new Position("f", 1, 1), name, "s", header, url));
    }

    @Override
    public String toString() {
      return library + ", " + body.length() + " characters";
    }
  }

  static Stream<Vector> vectors() throws IOException {
    return Json.tree(Files.readString(VECTORS))
        .valueStream()
        .map(one -> Json.read(one.toString(), Vector.class))
        .toList()
        .stream();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void what_a_providers_library_accepts_is_believed_and_nothing_else(Vector vector) {
    Instant then = Instant.ofEpochSecond(vector.at());
    List<String> secret = List.of(vector.secret());
    String body = vector.body();

    assertThat(vector.verifier().canUse(vector.secret())).isTrue();
    assertThat(vector.verify(vector.headers(), body, secret, then))
        .isEqualTo(new Verdict.Genuine());
    assertThat(vector.verify(vector.headers(), body, List.of(), then))
        .isInstanceOf(Verdict.Refused.class);
    assertThat(vector.verify(vector.headers(), changed(vector), secret, then))
        .isInstanceOf(Verdict.Refused.class);
    for (String header : vector.headers().keySet()) {
      if (header.contains("ignature") || header.contains("Hmac") || header.contains("Ed25519")) {
        for (String broken : List.of("", "AAAA", "00", "sha256=", "%%%", "v0=0")) {
          var told = new LinkedHashMap<>(vector.headers());
          told.put(header, broken);
          assertThat(vector.verify(told, body, secret, then))
              .as("%s: %s", header, broken)
              .isInstanceOf(Verdict.Refused.class);
        }
      }
      if (header.contains("Timestamp")) {
        assertThat(vector.verify(vector.headers(), body, secret, then.plus(Duration.ofHours(25))))
            .isInstanceOf(Verdict.Refused.class);
        assertThat(vector.verify(vector.headers(), body, secret, then.minus(Duration.ofHours(25))))
            .isInstanceOf(Verdict.Refused.class);
      }
    }
  }

  private static String changed(Vector vector) {
    return vector.scheme().equals("adyen")
        ? vector.body().replace("1130", "1131")
        : vector.body() + "1";
  }

  @Test
  void a_secret_of_another_form_is_no_secret_of_the_scheme() {
    assertThat(new SendGridSignature(Age.ONE_DAY).canUse("a-shared-secret")).isFalse();
    assertThat(new SendGridSignature(Age.ONE_DAY).canUse("AAAA")).isFalse();
    assertThat(new DiscordSignature(Age.ONE_DAY).canUse("ab")).isFalse();
    assertThat(new DiscordSignature(Age.ONE_DAY).canUse("ab".repeat(32))).isTrue();
    assertThat(new AdyenSignature().canUse("not hex")).isFalse();
  }

  @Test
  void the_libraries_accept_the_kept_vectors() throws Exception {
    Path tools = BASE.resolve("src/test/tools/providers");
    if (!Files.isDirectory(tools.resolve("node_modules"))) {
      String why = "the providers' libraries are not installed: npm ci in " + tools;
      System.out.println("SKIPPED: " + why);
      Assumptions.abort(why);
    }
    Path said = Files.createTempFile("provider-vectors", ".out");
    Process process =
        new ProcessBuilder(
                "node", "provider-vectors.js", "check", VECTORS.toAbsolutePath().toString())
            .directory(tools.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    } finally {
      process.destroyForcibly();
      Files.delete(said);
    }
  }
}
