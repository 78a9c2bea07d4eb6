package dev.hapax.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Who would wait for himself is found, whoever else waits. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class WaitCycleTest {

  private static boolean closes(long caller, long child, Map<Long, List<Long>> waiters) {
    return WaitCycle.<RuntimeException>closes(
        caller, child, run -> waiters.getOrDefault(run, List.of()));
  }

  @Test
  void a_run_that_calls_itself_closes_one() {
    assertThat(closes(1, 1, Map.of())).isTrue();
  }

  @Test
  void a_chain_closes_one_only_at_its_first_run() {
    Map<Long, List<Long>> waiters = Map.of(2L, List.of(1L), 3L, List.of(2L, 9L));

    assertThat(closes(3, 1, waiters)).isTrue();
    assertThat(closes(3, 9, waiters)).isTrue();
    assertThat(closes(3, 4, waiters)).isFalse();
    assertThat(closes(1, 3, waiters)).isFalse();
  }

  @Test
  void runs_that_wait_for_two_others_are_asked_once() {
    Map<Long, List<Long>> waiters =
        Map.of(5L, List.of(3L, 4L), 3L, List.of(2L), 4L, List.of(2L), 2L, List.of(1L));

    assertThat(closes(5, 1, waiters)).isTrue();
    assertThat(closes(5, 6, waiters)).isFalse();
  }

  @Test
  void too_many_waiters_are_not_followed() {
    List<Long> many = LongStream.rangeClosed(10, 10 + WaitCycle.MOST_WAITERS).boxed().toList();

    assertThat(closes(1, 2, Map.of(1L, many))).isTrue();
  }
}
