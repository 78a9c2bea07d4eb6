package dev.hapax.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"a", "charge-order", "billing/charge.v2", "Mail_7", "7up"})
  void a_name_is_letters_digits_and_a_few_signs(String name) {
    assertThat(Names.flow(name)).isEqualTo(name);
    assertThat(Names.step(name)).isEqualTo(name);
    assertThat(Names.effect(name)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-charge",
        ".charge",
        "/charge",
        "charge order",
        "charge\n",
        "chärge",
        "a:b",
        "a\u0000"
      })
  void any_other_name_is_refused(String name) {
    assertThatThrownBy(() -> Names.flow(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("name of the flow: expected 1 to 128");
  }

  @Test
  void a_name_has_128_characters_at_most() {
    assertThat(Names.step("a".repeat(128))).hasSize(128);
    assertThatThrownBy(() -> Names.step("a".repeat(129)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("name of the step:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "billing", "eu/west", "pci.v4", "7-up", "a_b"})
  void a_label_is_lower_case_letters_digits_and_a_few_signs(String label) {
    assertThat(Names.label(label)).isEqualTo(label);
    assertThat(Names.label("a".repeat(63))).hasSize(63);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "Billing", "-a", "a b", "a*", "label:a", "bïlling"})
  void any_other_label_is_refused(String label) {
    assertThatThrownBy(() -> Names.label(label))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("label: expected 1 to 63");
    assertThatThrownBy(() -> Names.label("a".repeat(64)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"A-1", " ", "a b", "Zürich", "\ud83d\ude80", "'; DROP TABLE run; --", "\n"})
  void a_key_is_any_text(String key) {
    assertThat(Names.key("the run", key)).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a\u0000b", "\ud800", "\udc00", "a\ud83d", "\ude80\ud83d", "\ud83d\ud83d\ude80"})
  void a_key_that_a_database_would_change_is_refused(String key) {
    assertThatThrownBy(() -> Names.key("the run", key))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("key of the run: U+")
        .hasMessageContaining("cannot be stored unchanged");
  }

  @Test
  void an_empty_key_is_refused() {
    assertThatThrownBy(() -> Names.key("effect 'charge'", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("key of effect 'charge': expected a text, got an empty one");
  }

  @Test
  void a_key_has_1024_bytes_at_most() {
    assertThat(Names.key("the run", "é".repeat(512))).hasSize(512);
    assertThatThrownBy(() -> Names.key("the run", "é".repeat(513)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected at most 1024 bytes, got 1026");
  }

  @Test
  void a_duration_that_must_be_something_is_not_nothing() {
    assertThat(Names.positive("timeout", Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
    assertThatThrownBy(() -> Names.positive("timeout", Duration.ZERO))
        .hasMessageStartingWith("timeout:");
    assertThatThrownBy(() -> Names.positive("timeout", Duration.ofMillis(-1)))
        .hasMessageStartingWith("timeout:");
  }
}
