package dev.hapax.run.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A run that would wait for itself is found, no matter which other runs wait. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class WaitCycleTest {

  private static boolean closes(long caller, long child, Map<Long, List<Long>> waiters) {
    return WaitCycle.<RuntimeException>closes(
        caller, child, run -> waiters.getOrDefault(run, List.of()), _ -> List.of());
  }

  /** Which closes if run 1, for which run 2 waits, calls the child. */
  private static boolean closesInLine(long child, Map<Long, List<List<Long>>> before) {
    return WaitCycle.<RuntimeException>closes(
        1,
        child,
        run -> run == 1 ? List.of(2L) : List.of(),
        run -> before.getOrDefault(run, List.of()));
  }

  @Test
  void a_child_behind_those_who_wait_for_it_closes_one() {
    assertThat(closesInLine(5, Map.of(5L, List.of(List.of(1L))))).isTrue();
    assertThat(closesInLine(5, Map.of(5L, List.of(List.of(1L, 2L))))).isTrue();
    assertThat(closesInLine(5, Map.of(5L, List.of(List.of(1L, 7L))))).isFalse(); // 7 will leave
    assertThat(closesInLine(5, Map.of(5L, List.of(List.of(7L))))).isFalse();
  }

  @Test
  void a_child_behind_one_that_is_behind_them_closes_one() {
    Map<Long, List<List<Long>>> before =
        Map.of(5L, List.of(List.of(6L)), 6L, List.of(List.of(2L)), 7L, List.of(List.of(7L)));

    assertThat(closesInLine(5, before)).isTrue();
    assertThat(closesInLine(7, before)).isFalse();
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
