package dev.hapax.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written can be read back unchanged, or is refused when it is written. */
class JsonTest {
  record Order(
      String id, BigDecimal total, @Nullable String note, Instant placedAt, Duration within) {}

  @Test
  void a_record_comes_back_equal() {
    var order =
        new Order(
            "A-1",
            new BigDecimal("40.00"),
            null,
            Instant.parse("2026-03-01T10:00:00.123Z"),
            Duration.ofHours(1));

    String text = Json.write(order);

    assertThat(Json.read(text, Order.class)).isEqualTo(order);
  }

  @Test
  void trailing_zeros_stay() {
    assertThat(Json.tree("{\"total\":40.00}").toString()).isEqualTo("{\"total\":40.00}");
    assertThat(Json.read("40.00", BigDecimal.class)).isEqualTo(new BigDecimal("40.00"));
  }

  @Test
  void large_integers_stay_exact() {
    assertThat(Json.tree("123456789012345678901234567890").toString())
        .isEqualTo("123456789012345678901234567890");
  }

  @Test
  void two_members_of_one_name_are_refused() {
    assertRefused("{\"a\":1,\"a\":2}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "1 2",
        "NaN",
        "{a:1}",
        "'a'",
        "[1,]",
        "01",
        "// comment\n1",
        "1e999999999999"
      })
  void what_is_no_json_is_refused(String text) {
    assertRefused(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "\udc00", "a\ud83d", "\ude80\ud83d"})
  void a_lone_surrogate_is_refused(String text) {
    assertThatThrownBy(() -> Json.write(List.of(text)))
        .isInstanceOf(NotSerializable.class)
        .hasMessageContaining("lone surrogate");
  }

  @Test
  void a_pair_of_surrogates_is_a_character() {
    assertThat(Json.read(Json.write("\ud83d\ude80"), String.class)).isEqualTo("\ud83d\ude80");
  }

  @Test
  void a_nul_is_written_as_an_escape() {
    assertThat(Json.write("a\u0000b")).isEqualTo("\"a\\u0000b\"");
  }

  @Test
  void text_that_is_nested_ten_thousand_deep_is_refused() {
    assertRefused("[".repeat(10_000) + "]".repeat(10_000));
  }

  @Test
  void a_value_that_could_not_be_read_back_is_not_written() {
    assertThat(Json.tree(Json.write(nested(100))).isArray()).isTrue();
    assertThatThrownBy(() -> Json.write(nested(101))).isInstanceOf(NotSerializable.class);
    assertThatThrownBy(() -> Json.write(nested(10_000))).isInstanceOf(NotSerializable.class);
  }

  @Test
  void a_value_that_holds_itself_is_refused() {
    assertThatThrownBy(() -> Json.write(new Ring())).isInstanceOf(NotSerializable.class);
  }

  @Test
  void an_error_names_the_type_that_was_wanted() {
    assertThatThrownBy(() -> Json.read("[]", Order.class))
        .hasMessageContaining(Order.class.getName());
  }

  static final class Ring {
    public Ring getSelf() {
      return this;
    }
  }

  private static Object nested(int depth) {
    Object value = 1;
    for (int i = 0; i < depth; i++) {
      value = List.of(value);
    }
    return value;
  }

  private static void assertRefused(String text) {
    assertThatThrownBy(() -> Json.tree(text)).isInstanceOf(NotSerializable.class);
  }
}
