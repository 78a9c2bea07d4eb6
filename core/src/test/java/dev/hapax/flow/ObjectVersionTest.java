package dev.hapax.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One version has many spellings, and the order of versions is that of their type. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ObjectVersionTest {
  @Test
  void digits_are_a_number_in_every_spelling() {
    var five = ObjectVersion.of(5);

    assertThat(List.of("5", "5.0", "005", " 5 ", "5.000"))
        .allSatisfy(text -> assertThat(ObjectVersion.of(text)).isEqualTo(five));
    assertThat(List.<Object>of(5, 5L, 5.0, "5", BigInteger.valueOf(5), new BigDecimal("5.00")))
        .allSatisfy(value -> assertThat(ObjectVersion.ofValue(value)).isEqualTo(five));
    assertThat(ObjectVersion.of("-0.0")).isEqualTo(ObjectVersion.of(0));
    assertThat(ObjectVersion.ofValue(new BigDecimal("1e3"))).isEqualTo(ObjectVersion.of(1000));
  }

  @Test
  void numbers_of_any_size_are_exact() {
    var large = ObjectVersion.of("123456789012345678901234567890");
    var larger = ObjectVersion.of("123456789012345678901234567891");

    assertThat(large.isOlderThan(larger)).isTrue();
    assertThat(larger.isOlderThan(large)).isFalse();
    assertThat(ObjectVersion.of(9).isOlderThan(ObjectVersion.of(10))).isTrue();
    assertThat(ObjectVersion.of("1.5").isOlderThan(ObjectVersion.of(2))).isTrue();
    assertThat(ObjectVersion.of(-2).isOlderThan(ObjectVersion.of("-1.5"))).isTrue();
    assertThat(large.asLong()).isNull();
    assertThat(large.asJson()).isEqualTo(new BigDecimal("123456789012345678901234567890"));
    assertThat(ObjectVersion.of("7.0").asJson()).isEqualTo(7L);
  }

  @Test
  void times_of_rfc_3339_are_instants() {
    var noon = ObjectVersion.of("2026-11-17T12:00:00Z");

    assertThat(
            List.of("2026-11-17T13:00:00+01:00", "2026-11-17t12:00:00z", "2026-11-17 12:00:00.00Z"))
        .allSatisfy(text -> assertThat(ObjectVersion.of(text)).isEqualTo(noon));
    assertThat(ObjectVersion.of(Instant.parse("2026-11-17T12:00:00Z"))).isEqualTo(noon);
    assertThat(noon.isOlderThan(ObjectVersion.of("2026-11-17T12:00:00.0000000001Z"))).isTrue();
    assertThat(ObjectVersion.of("2026-11-17T12:00:00.12Z"))
        .matches(early -> early.isOlderThan(ObjectVersion.of("2026-11-17T12:00:00.5Z")));
    assertThat(ObjectVersion.of("2016-12-31T23:59:60Z"))
        .isEqualTo(ObjectVersion.of("2017-01-01T00:00:00Z"));
    assertThat(noon.asJson()).isEqualTo("2026-11-17T12:00:00Z");
  }

  @Test
  void any_other_text_is_compared_by_code_points() {
    assertThat(ObjectVersion.of("a").isOlderThan(ObjectVersion.of("b"))).isTrue();
    assertThat(ObjectVersion.of("a").isOlderThan(ObjectVersion.of("aa"))).isTrue();
    assertThat(ObjectVersion.of("v10").isOlderThan(ObjectVersion.of("v9"))).isTrue();
    // U+FF5E is before U+1F600, though its UTF-16 unit is after those of the pair.
    assertThat(ObjectVersion.of("\uff5e").isOlderThan(ObjectVersion.of("\ud83d\ude00"))).isTrue();
    assertThat(List.of("1e5", "1.2.3", "2026-02-30T00:00:00Z", "9999-12-31T23:59:59-01:00", "+5"))
        .allSatisfy(
            text -> assertThat(ObjectVersion.of(text).type()).isEqualTo(ObjectVersion.Type.TEXT));
  }

  @Test
  void what_is_stored_is_read_as_the_same_version() {
    assertThat(List.of("5.50", "-3", "2026-11-17T12:00:00.120+05:30", "0000-01-01T00:00:00Z", "v1"))
        .allSatisfy(
            text -> {
              var version = ObjectVersion.of(text);
              assertThat(ObjectVersion.of(version.text())).isEqualTo(version);
              assertThat(ObjectVersion.ofStored(version.text())).isEqualTo(version);
            });
  }

  @Test
  void what_is_accepted_can_be_read_again_also_at_the_limit() {
    var longest = ObjectVersion.ofValue(new BigDecimal("1e-1022"));

    assertThat(ObjectVersion.of(longest.text())).isEqualTo(longest);
    assertThat(List.of("1e-1023", "-1e-1022", "1e1023", "-1e1023"))
        .allSatisfy(
            text -> {
              try {
                var version = ObjectVersion.ofValue(new BigDecimal(text));
                assertThat(ObjectVersion.of(version.text())).isEqualTo(version);
              } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("at most 1024 digits");
              }
            });
    assertThatThrownBy(() -> ObjectVersion.ofValue(new BigDecimal("1e-1023")))
        .hasMessageContaining("at most 1024 digits");
  }

  @Test
  void a_stored_version_is_read_even_if_it_would_be_refused_today() {
    String text = new BigDecimal("1e-1023").toPlainString();

    assertThat(ObjectVersion.ofStored(text).type()).isEqualTo(ObjectVersion.Type.NUMBER);
    assertThat(ObjectVersion.ofStored(text).isOlderThan(ObjectVersion.of(1))).isTrue();
  }

  @Test
  void versions_of_different_types_have_no_order() {
    var number = ObjectVersion.of(5);
    var text = ObjectVersion.of("five");

    assertThat(number.isComparableTo(text)).isFalse();
    assertThat(number.isOlderThan(text)).isFalse();
    assertThat(text.isOlderThan(number)).isFalse();
  }

  @Test
  void hostile_values_are_refused_quickly() {
    assertThatThrownBy(() -> ObjectVersion.ofValue(new BigDecimal("1e999999999")))
        .hasMessageContaining("at most 1024 digits");
    assertThatThrownBy(() -> ObjectVersion.of("9".repeat(2000))).hasMessageContaining("1024 bytes");
    assertThatThrownBy(() -> ObjectVersion.of(" ")).hasMessageContaining("got an empty one");
    assertThatThrownBy(() -> ObjectVersion.of("a\0b")).hasMessageContaining("U+0000");
    assertThatThrownBy(() -> ObjectVersion.ofValue(null)).hasMessageContaining("got null");
    assertThatThrownBy(() -> ObjectVersion.ofValue(List.of())).hasMessageContaining("version");
    assertThatThrownBy(() -> ObjectVersion.ofValue(Double.NaN)).hasMessageContaining("NaN");
  }
}
