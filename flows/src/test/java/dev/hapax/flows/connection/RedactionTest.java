package dev.hapax.flows.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets in bytes on their way. */
class RedactionTest {
  private static final String SECRET = "ß3cret/välue";

  @Test
  void a_secret_is_removed_at_every_position_of_a_stream() throws IOException {
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Top-Secret<&>'42",
        "TOP-SECRET<&>'42",
        "top-secret<&>'42",
        "VG9wLVNlY3JldDwmPic0Mg==",
        "VG9wLVNlY3JldDwmPic0Mg",
        "Top-Secret&lt;&amp;&gt;&#39;42",
        "Top-Secret&lt;&amp;&gt;&#x27;42",
        "546f702d5365637265743c263e273432",
        "546F702D5365637265743C263E273432",
        "KRXXALKTMVRXEZLUHQTD4JZUGI",
        "krxxalktmvrxezluhqtd4jzugi",
        "24'>&<terceS-poT",
        "Top-Secret%3C%26%3E%2742",
        "top-secret\\u003c\\u0026\\u003e'42"
      })
  void a_long_secret_is_known_in_every_form_and_case(String form) throws IOException {
    var redaction = new Redaction();
    redaction.hide("Top-Secret<&>'42");

    assertThat(redaction.redact("(" + form + ")")).startsWith("([redacted]").endsWith(")");
    var bytes = new ByteArrayInputStream(("(" + form + ")").getBytes(StandardCharsets.UTF_8));
    assertThat(new String(redaction.redact(bytes).readAllBytes(), StandardCharsets.UTF_8))
        .startsWith("([redacted]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "xy", "xyz", "user:", "user1:"})
  void a_secret_is_found_inside_base64_at_every_offset(String before) {
    var redaction = new Redaction();
    redaction.hide("Top-Secret<&>'42");
    byte[] bytes = (before + "Top-Secret<&>'42 and more").getBytes(StandardCharsets.UTF_8);

    assertThat(redaction.redact(Base64.getEncoder().encodeToString(bytes))).contains("[redacted]");
    assertThat(redaction.redact(Base64.getUrlEncoder().encodeToString(bytes)))
        .contains("[redacted]");
  }

  /** Of the letters beside it, each has at most five bits of the secret. */
  @Test
  void nothing_is_left_of_a_secret_inside_base64() {
    var redaction = new Redaction();
    redaction.hide("Top-Secret<&>'42");
    for (String before : new String[] {"", "x", "xy", "user:", "user1:", "user12:"}) {
      for (String after : new String[] {"", "x", "xy", "xyz"}) {
        byte[] bytes = (before + "Top-Secret<&>'42" + after).getBytes(StandardCharsets.UTF_8);

        String redacted = redaction.redact(Base64.getEncoder().encodeToString(bytes));

        int left = Math.ceilDiv(before.length() * 8, 6) + Math.ceilDiv(after.length() * 8, 6);
        assertThat(redacted.replace("[redacted]", "").replace("=", ""))
            .as("%s…%s", before, after)
            .hasSizeLessThanOrEqualTo(left + 1);
      }
    }
  }

  @Test
  void a_number_that_is_a_secret_is_hidden_and_others_are_not() {
    var redaction = new Redaction();
    redaction.hide("1234567890");

    assertThat(redaction.redact((Object) 1234567890L)).isEqualTo("[redacted]");
    assertThat(redaction.redact((Object) 1234567L)).isEqualTo(1234567L);
  }

  /** Thousands of forms cost no more than a few. */
  @Test
  void many_secrets_do_not_slow_it_down() {
    var redaction = new Redaction();
    for (int i = 0; i < 100; i++) {
      redaction.hide("secret-number-%d-of-many".formatted(i));
    }
    String text = "an innocent text about secrets, and nothing else. ".repeat(20_000);
    redaction.redact(text);
    long began = System.nanoTime();

    assertThat(redaction.redact(text)).isEqualTo(text);
    assertThat(System.nanoTime() - began).isLessThan(3_000_000_000L);
  }

  @Test
  void bytes_without_secrets_pass_as_they_are() throws IOException {
    var redaction = new Redaction();
    redaction.hide(SECRET);
    byte[] bytes = new byte[200_000];
    new java.util.Random(7).nextBytes(bytes);

    assertThat(redaction.redact(new ByteArrayInputStream(bytes)).readAllBytes()).isEqualTo(bytes);
  }

  @Test
  void a_failure_in_which_a_destination_repeats_a_secret_is_shown_without_it() {
    var redaction = new Redaction();
    redaction.hide("s3cret-of-the-broker");
    var known = new NotApplied("no shell", Duration.ofSeconds(3), null);
    var repeated = new NotApplied("no: s3cret-of-the-broker", Duration.ofSeconds(3), null);
    var refused = new Rejected("unroutable", "s3cret-of-the-broker", new IOException("x"));
    var lost = new EOFException("at s3cret-of-the-broker");

    assertThat(redaction.redacted(known)).isSameAs(known);
    assertThat(redaction.redacted(repeated).retryAfter()).isEqualTo(Duration.ofSeconds(3));
    assertThat(redaction.redacted(refused).code()).isEqualTo("unroutable");
    for (Exception failure : List.of(repeated, refused, lost)) {
      Exception shown = redaction.redacted(failure);
      assertThat(shown).hasMessageNotContaining("s3cret").hasNoCause();
    }
  }
}
