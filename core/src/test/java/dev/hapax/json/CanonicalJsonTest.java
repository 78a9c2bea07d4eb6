package dev.hapax.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vectors of RFC 8785 where we agree with it, and the one place where we do not. */
class CanonicalJsonTest {

  @Test
  void members_are_sorted_by_utf16_code_units() {
    String json =
        """
        {"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
         "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control", "\\u00f6": "Latin Small Letter O With Diaeresis"}
        """;

    assertThat(CanonicalJson.of(json))
        .isEqualTo(
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                + "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\","
                + "\"\ud83d\ude00\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
  }

  @Test
  void strings_literals_and_numbers_have_one_form() {
    String json =
        """
        {
          "numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
          "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
          "literals": [null, true, false]
        }
        """;

    assertThat(CanonicalJson.of(json))
        .isEqualTo(
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
  }

  @Test
  void empty_containers_and_nesting_keep_their_shape() {
    assertThat(
            CanonicalJson.of(" { \"b\" : [ ] , \"a\" : { } , \"c\" : [ [ 1 ] , { \"d\" : 2 } ] } "))
        .isEqualTo("{\"a\":{},\"b\":[],\"c\":[[1],{\"d\":2}]}");
  }

  @ParameterizedTest
  @CsvSource({
    "0000000000000000, 0",
    "8000000000000000, 0",
    "0000000000000001, 5e-324",
    "8000000000000001, -5e-324",
    "0000000000000002, 1e-323",
    "7fefffffffffffff, 1.7976931348623157e+308",
    "ffefffffffffffff, -1.7976931348623157e+308",
    "4340000000000000, 9007199254740992",
    "c340000000000000, -9007199254740992",
    "4430000000000000, 295147905179352830000",
    "44b52d02c7e14af5, 9.999999999999997e+22",
    "44b52d02c7e14af6, 1e+23",
    "44b52d02c7e14af7, 1.0000000000000001e+23",
    "444b1ae4d6e2ef4e, 999999999999999700000",
    "444b1ae4d6e2ef4f, 999999999999999900000",
    "444b1ae4d6e2ef50, 1e+21",
    "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d, 0.000001",
    "41b3de4355555553, 333333333.3333332",
    "41b3de4355555554, 333333333.33333325",
    "41b3de4355555555, 333333333.3333333",
    "41b3de4355555556, 333333333.3333334",
    "41b3de4355555557, 333333333.33333343",
    "becbf647612f3696, -0.0000033333333333333333",
    "43143ff3c1cb0959, 1424953923781206.2",
  })
  void a_double_is_written_as_ecmascript_does(String bits, String form) {
    double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

    assertThat(Double.parseDouble(form)).isEqualTo(value == 0 ? 0.0 : value);
    assertThat(CanonicalJson.number(new BigDecimal(form))).isEqualTo(form);
  }

  @ParameterizedTest
  @CsvSource({
    "-0, 0",
    "-0.0, 0",
    "0e7, 0",
    "1.0, 1",
    "1e0, 1",
    "100, 100",
    "1e2, 100",
    "40.00, 40",
    "1e20, 100000000000000000000",
    "1e21, 1e+21",
    "0.1e1, 1",
    "1E-6, 0.000001",
    "1E-7, 1e-7",
    "-1.50, -1.5",
  })
  void one_number_has_one_form_however_it_was_written(String written, String form) {
    assertThat(CanonicalJson.of(written)).isEqualTo(form);
  }

  @ParameterizedTest
  @CsvSource({
    "9007199254740993, 9007199254740993",
    "12345678901234567, 12345678901234567",
    "12345678901234568, 12345678901234568",
    "-9223372036854775808, -9223372036854775808",
    "123456789012345678901234567890, 12345678901234567890123456789e1",
    "333333333.33333329, 33333333333333329e-8",
    "1e400, 1e400",
    "-1.5e-400, -15e-401",
    "4.9e-324, 49e-325",
  })
  void a_number_that_no_double_denotes_keeps_its_digits(String written, String form) {
    assertThat(CanonicalJson.of(written)).isEqualTo(form);
  }

  @Test
  void the_canonical_form_is_its_own_canonical_form() {
    String once =
        CanonicalJson.of(
            "{\"z\":[1e400,-1.5e-400,9007199254740993,4.50],\"a\":\"\\u000f\\u20ac\"}");

    assertThat(CanonicalJson.of(once)).isEqualTo(once);
  }

  @Test
  void strings_are_not_normalized() {
    assertThat(CanonicalJson.of("\"a\u0301\"")).isNotEqualTo(CanonicalJson.of("\"\u00e1\""));
  }

  @Test
  void a_lone_surrogate_has_no_canonical_form() {
    assertThatThrownBy(() -> CanonicalJson.of("\"\\ud800\""))
        .isInstanceOf(NotSerializable.class)
        .hasMessageContaining("U+D800");
  }
}
