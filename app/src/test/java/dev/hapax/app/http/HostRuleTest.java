package dev.hapax.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The hosts that requests may ask for. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class HostRuleTest {
  @Test
  void a_server_of_this_machine_is_asked_for_by_its_local_names_and_those_of_the_operator() {
    var rule = HostRule.of("127.0.0.1", List.of("Hapax.example"));

    assertThat(List.of("127.0.0.1", "localhost:8899", "LOCALHOST", "[::1]:8899", "hapax.EXAMPLE"))
        .allMatch(rule::takes);
    assertThat(List.of("evil.example", "10.1.2.3", "localhost.evil.example", "localhost.", ""))
        .noneMatch(rule::takes);
    assertThat(rule.takes(null)).isFalse();
  }

  @Test
  void a_server_for_other_machines_is_asked_for_by_any_address_too_but_not_by_any_name() {
    var rule = HostRule.of("0.0.0.0", List.of("*.hapax.example"));

    assertThat(List.of("10.1.2.3:8899", "[fd00::7]", "localhost", "a.hapax.example", "0.0.0.0"))
        .allMatch(rule::takes);
    assertThat(rule.takes(null)).isTrue();
    assertThat(
            List.of(
                "evil.example",
                "hapax.example",
                ".hapax.example",
                "10.1.2.3.evil.example",
                "evilhapax.example",
                "2130706433",
                "[evil]"))
        .noneMatch(rule::takes);
  }

  @Test
  void a_star_takes_all() {
    assertThat(HostRule.of("0.0.0.0", List.of("*")).takes("any.example")).isTrue();
  }
}
