package dev.hapax.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeerAddressTest {
  @Test
  void an_address_of_version_6_counts_with_its_neighbours() {
    String one = PeerAddress.owner("2001:db8:1:2::7");

    assertThat(PeerAddress.owner("2001:db8:1:2:ffff::1%eth0")).isEqualTo(one);
    assertThat(PeerAddress.owner("2001:db8:1:3::7")).isNotEqualTo(one);
    assertThat(PeerAddress.owner("203.0.113.7")).isEqualTo("203.0.113.7");
    assertThat(PeerAddress.owner("::ffff:203.0.113.7"))
        .isNotEqualTo(PeerAddress.owner("::ffff:203.0.113.8"));
    assertThat(PeerAddress.owner("no:address")).isEqualTo("no:address");
  }
}
