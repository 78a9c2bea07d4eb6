package dev.hapax.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.flow.TenantLimits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@SuppressWarnings("MemberName") // the names of tests are sentences
class TenantGateTest {
  private final List<Long> woken = new ArrayList<>();
  private final TenantGate gate =
      new TenantGate(
          new TenantLimits() {
            @Override
            public int mostInMemory(String tenant) {
              return 1;
            }
          },
          () -> false,
          woken::add,
          () -> {},
          (_, _) -> {});

  @Test
  void a_run_that_gets_a_place_counts_until_it_leaves() {
    assertThat(gate.<String>entersWith("acme", 1, () -> "place")).isEqualTo("place");
    assertThat(gate.inMemory("acme")).isEqualTo(1);
    assertThat(gate.<String>entersWith("acme", 2, () -> "another")).isNull();

    gate.left(1);

    assertThat(gate.inMemory("acme")).isZero();
  }

  @Test
  void a_run_that_gets_no_place_does_not_count_and_lets_the_next_one_in() {
    gate.<String>entersWith(
        "acme",
        1,
        () -> {
          assertThat(gate.entersOrWaits("acme", 2)).isFalse();
          return null;
        });

    assertThat(gate.inMemory("acme")).isZero();
    assertThat(woken).containsExactly(2L);
  }

  @Test
  void a_place_that_cannot_be_made_leaves_no_count() {
    assertThatThrownBy(
            () ->
                gate.<String>entersWith(
                    "acme",
                    1,
                    () -> {
                      throw new OutOfMemoryError("no place");
                    }))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(gate.inMemory("acme")).isZero();
  }

  @Test
  void a_run_that_is_in_memory_keeps_its_count_when_it_is_begun_again() {
    gate.<String>entersWith("acme", 1, () -> "place");

    assertThat(gate.<String>entersWith("acme", 1, () -> null)).isNull();

    assertThat(gate.inMemory("acme")).isEqualTo(1);
  }
}
