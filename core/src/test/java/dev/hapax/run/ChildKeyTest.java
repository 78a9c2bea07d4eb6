package dev.hapax.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Names;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import org.junit.jupiter.api.Test;

/** Stored in keys and made into ids, so it never changes. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ChildKeyTest {
  private static final RunId PARENT = RunId.of("acme", "order", "A-1", null);

  @Test
  void it_is_made_of_parent_step_round_and_item() {
    var step = new Step("ship", null);
    var item = new Step("ship", "a//b");

    assertThat(ChildKey.of(PARENT, step)).isEqualTo(PARENT + "/ship");
    assertThat(ChildKey.of(PARENT, item)).isEqualTo(PARENT + "/ship:a//b");
    assertThat(ChildKey.of(PARENT, step.inRound(2))).isEqualTo(PARENT + "/ship@2");
    assertThat(ChildKey.of(PARENT, item.inRound(2))).isEqualTo(PARENT + "/ship@2:a//b");
  }

  @Test
  void a_long_item_is_shown_by_its_hash() {
    String one = ChildKey.of(PARENT, new Step("ship", "x".repeat(1024)));
    String other = ChildKey.of(PARENT, new Step("ship", "x".repeat(1025)));

    assertThat(one).startsWith(PARENT + "/ship~").isNotEqualTo(other);
    assertThat(Names.key("a run", one)).isEqualTo(one);
  }
}
