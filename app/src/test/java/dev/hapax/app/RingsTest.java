package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.archfixture.ring.Leaks;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What users call names only what users see. */
class RingsTest {
  private static final Ring FIRST = new Ring(Set.of("dev.hapax", "dev.hapax.flow"));

  @Test
  void signatures_of_the_first_ring_name_only_types_of_the_first_ring() {
    assertThat(FIRST.leaks(Hapax.class)).as("types that users would have to import").isEmpty();
  }

  /** The test of the test. */
  @Test
  void a_leak_is_seen_in_every_part_of_a_signature() {
    var ring = new Ring(Set.of("dev.hapax.archfixture.ring"));
    String leaks = "dev.hapax.archfixture.ring.Leaks";
    String named = " names dev.hapax.archfixture.upper.Upper";

    assertThat(ring.leaks(Leaks.class))
        .containsExactlyInAnyOrder(
            leaks + named,
            leaks + ".FIELD" + named,
            leaks + ".<init>" + named,
            leaks + ".returned" + named,
            leaks + ".taken" + named,
            leaks + ".bound" + named,
            leaks + "$Shown.component" + named,
            leaks + "$Shown.<init>" + named);
  }
}
