package dev.hapax.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The golden ids were computed by another program; a change of them would orphan every stored key.
 */
class RunIdTest {

  @Test
  void the_id_of_a_key_never_changes() {
    var perInput =
        new Fingerprint("78312715ca256456f03f52cc6f1cc5a68479cb90c62853845a613ca3a607f789");

    assertThat(RunId.of("acme", "charge-order", "A-1001", null))
        .hasToString("r-skxxvmeoipd4mppu5vnbjnuso4");
    assertThat(RunId.of("acme", "charge-order", "A-1001", perInput))
        .hasToString("r-7pgl2q4o6fbiwrvvh7bq5dam7a");
    assertThat(RunId.of("acme", "charge-order", "Zürich \ud83d\ude80", null))
        .hasToString("r-ptevomord5tuxejt7upynwzzwa");
  }

  @Test
  void tenant_flow_and_key_cannot_meet_by_joining() {
    assertThat(RunId.of("ab", "c", "d", null)).isNotEqualTo(RunId.of("a", "bc", "d", null));
    assertThat(RunId.of("a", "bc", "d", null)).isNotEqualTo(RunId.of("a", "b", "cd", null));
  }

  @Test
  void an_id_is_parsed_as_it_is_printed() {
    var random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      var id = new RunId(random.nextLong(), random.nextLong());

      assertThat(RunId.parse(id.toString())).isEqualTo(id);
      assertThat(RunId.of(id.bytes())).isEqualTo(id);
    }
    for (var id :
        new RunId[] {
          new RunId(0, 0), new RunId(-1, -1), new RunId(Long.MIN_VALUE, 1), new RunId(1, -1)
        }) {
      assertThat(RunId.parse(id.toString())).isEqualTo(id);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "r-",
        "skxxvmeoipd4mppu5vnbjnuso4",
        "r-skxxvmeoipd4mppu5vnbjnuso",
        "r-skxxvmeoipd4mppu5vnbjnuso4a",
        "e-skxxvmeoipd4mppu5vnbjnuso4",
        "r-SKXXVMEOIPD4MPPU5VNBJNUSO4",
        "r-skxxvmeoipd4mppu5vnbjnuso1",
        "r-skxxvmeoipd4mppu5vnbjnuso5", // its last bits are padding, so it would be a second text
        // of one id
      })
  void any_other_text_is_refused(String text) {
    assertThatThrownBy(() -> RunId.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected 'r-' and 26 characters")
        .hasMessageContaining("'" + text + "'");
  }
}
