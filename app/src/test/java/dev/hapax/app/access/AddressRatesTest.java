package dev.hapax.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressRatesTest {
  @Test
  void an_address_of_version_6_counts_with_its_neighbours() {
    String one = AddressRates.whose("2001:db8:1:2::7");

    assertThat(AddressRates.whose("2001:db8:1:2:ffff::1%eth0")).isEqualTo(one);
    assertThat(AddressRates.whose("2001:db8:1:3::7")).isNotEqualTo(one);
    assertThat(AddressRates.whose("203.0.113.7")).isEqualTo("203.0.113.7");
    assertThat(AddressRates.whose("::ffff:203.0.113.7"))
        .isNotEqualTo(AddressRates.whose("::ffff:203.0.113.8"));
    assertThat(AddressRates.whose("no:address")).isEqualTo("no:address");
  }
}
