package dev.hapax.flows.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets in bytes on their way. */
class RedactionTest {
  private static final String SECRET = "ß3cret/välue";

  @Test
  void a_secret_is_taken_out_wherever_it_lies_in_a_stream() throws IOException {
    var redaction = new Redaction();
    redaction.hide(SECRET);
    String encoded = Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));
    for (String form : new String[] {SECRET, encoded}) {
      for (int before = (64 << 10) - 40; before < (64 << 10) + 5; before++) {
        String text = "x".repeat(before) + form + "y".repeat(70_000) + form;
        var bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));

        String told = new String(redaction.redact(bytes).readAllBytes(), StandardCharsets.UTF_8);

        assertThat(told.equals(text.replace(form, "[redacted]"))).as("at %d", before).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b \"ü\" ~*",
        "a%2Fb+%22%C3%BC%22+%7E*",
        "a%2fb%20%22%c3%bc%22%20~%2a",
        "a/b%20%22%C3%BC%22%20~*",
        "YS9iICLDvCIgfio",
        "a/b \\\"ü\\\" ~*",
        "a\\/b \\\"\\u00fc\\\" ~*"
      })
  void a_secret_is_known_in_the_forms_that_programs_give_it(String form) {
    var redaction = new Redaction();
    redaction.hide("a/b \"ü\" ~*");

    assertThat(redaction.redact("<" + form + ">")).startsWith("<[redacted]").endsWith(">");
  }

  @Test
  void bytes_without_secrets_pass_as_they_are() throws IOException {
    var redaction = new Redaction();
    redaction.hide(SECRET);
    byte[] bytes = new byte[200_000];
    new java.util.Random(7).nextBytes(bytes);

    assertThat(redaction.redact(new ByteArrayInputStream(bytes)).readAllBytes()).isEqualTo(bytes);
  }
}
