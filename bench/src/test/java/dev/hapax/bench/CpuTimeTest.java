package dev.hapax.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CpuTimeTest {

  @Test
  void user_and_system_time_of_a_process_and_its_ended_children_are_added() {
    String stat = "42 (a (b) c) S 1 42 42 0 -1 4194560 900 80 0 0 100 20 3 4 20 0 1 0 77 8192 5\n";

    assertThat(CpuTime.ticks(stat)).isEqualTo(127);
  }
}
