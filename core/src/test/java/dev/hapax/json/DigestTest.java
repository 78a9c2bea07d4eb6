package dev.hapax.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigestTest {

  @Test
  void sha256_is_that_of_the_standard() {
    assertThat(HexFormat.of().formatHex(Digest.sha256("abc")))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void parts_cannot_meet_by_joining() {
    assertThat(Digest.ofParts("ab", "c")).isNotEqualTo(Digest.ofParts("a", "bc"));
    assertThat(Digest.ofParts("a", "")).isNotEqualTo(Digest.ofParts("a"));
    assertThat(Digest.ofParts("", "a")).isNotEqualTo(Digest.ofParts("a", ""));
  }

  /** A token that was handed out is good for ever: these bytes never change. */
  @Test
  void hmac_is_that_of_the_standard_over_length_prefixed_parts() {
    byte[] key = "key".getBytes(StandardCharsets.UTF_8);

    assertThat(HexFormat.of().formatHex(Digest.hmac(key, "a", "bc")))
        .isEqualTo("c3a351d2833ea2cf478fc38c54569be99f1d76f7bc6bcf05ad6c32666254b133");
    assertThat(Digest.hmac(key, "ab", "c")).isNotEqualTo(Digest.hmac(key, "a", "bc"));
  }

  @ParameterizedTest
  @CsvSource({
    "f, my",
    "fo, mzxq",
    "foo, mzxw6",
    "foob, mzxw6yq",
    "fooba, mzxw6ytb",
    "foobar, mzxw6ytboi"
  })
  void base32_is_that_of_rfc_4648_without_padding(String text, String form) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

    assertThat(Digest.base32(bytes, bytes.length)).isEqualTo(form);
  }
}
