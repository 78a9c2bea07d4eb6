package dev.hapax.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FingerprintTest {

  @Test
  void the_fingerprint_of_a_value_never_changes() {
    assertThat(Fingerprint.of("{\"total\":40.00}"))
        .hasToString("78312715ca256456f03f52cc6f1cc5a68479cb90c62853845a613ca3a607f789");
  }

  @Test
  void one_value_has_one_fingerprint_however_it_is_written() {
    assertThat(Fingerprint.of("{\"a\": 1.0, \"b\": \"\\u00e9\"}"))
        .isEqualTo(Fingerprint.of("{\"b\":\"é\",\"a\":1}"));
  }

  @Test
  void other_values_have_others() {
    assertThat(Fingerprint.of("1")).isNotEqualTo(Fingerprint.of("\"1\""));
    assertThat(Fingerprint.of("[1,2]")).isNotEqualTo(Fingerprint.of("[2,1]"));
    assertThat(Fingerprint.of("12345678901234567"))
        .isNotEqualTo(Fingerprint.of("12345678901234568"));
    assertThat(Fingerprint.of("{}")).isNotEqualTo(Fingerprint.of("{\"a\":null}"));
  }

  @Test
  void its_bytes_are_its_hex() {
    var fingerprint = Fingerprint.of("{}");

    assertThat(fingerprint.bytes()).hasSize(Fingerprint.BYTES);
    assertThat(Fingerprint.of(fingerprint.bytes())).isEqualTo(fingerprint);
  }
}
