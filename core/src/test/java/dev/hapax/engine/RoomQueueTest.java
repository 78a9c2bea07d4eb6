package dev.hapax.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

@SuppressWarnings("MemberName") // the names of tests are sentences
class RoomQueueTest {
  private final Map<Long, Long> needs = new HashMap<>();
  private long room;
  private int looks;
  private final RoomQueue queue =
      new RoomQueue(
          run -> {
            looks++;
            return needOf(run) <= room;
          },
          this::needOf);

  private long needOf(long run) {
    return needs.getOrDefault(run, 0L);
  }

  private void add(long run, long need) {
    needs.put(run, need);
    queue.add(run);
  }

  @Test
  void runs_go_in_the_order_in_which_they_came_each_once() {
    room = 100;
    add(1, 50);
    add(2, 10);
    add(1, 0);
    add(3, 0);

    assertThat(queue.next()).isEqualTo(1);
    assertThat(queue.next()).isEqualTo(2);
    assertThat(queue.next()).isEqualTo(3);
    assertThat(queue.next()).isNull();
  }

  @Test
  void a_run_that_needs_less_passes_one_that_needs_more_than_there_is() {
    add(1, 50);
    add(2, 30);
    add(3, 10);
    add(4, 10);

    room = 20;
    assertThat(queue.next()).isEqualTo(3);
    assertThat(queue.next()).isEqualTo(4);
    assertThat(queue.next()).isNull();
    room = 60;
    assertThat(queue.next()).isEqualTo(1);
    assertThat(queue.next()).isEqualTo(2);
  }

  @Test
  void a_run_that_needs_little_is_found_behind_many_that_need_more() {
    for (int run = 1; run <= 1_000; run++) {
      add(run, 50);
    }
    add(1_001, 10);

    room = 20;
    assertThat(queue.next()).isEqualTo(1_001);
    assertThat(queue.next()).isNull();
  }

  @Test
  void a_run_whose_need_has_changed_goes_by_what_it_needs_now() {
    for (int run = 1; run <= 1_000; run++) {
      add(run, 50);
    }
    needs.put(1_000L, 0L);
    queue.look(1_000);
    add(1_001, 10);
    needs.put(1_001L, 90L);

    room = 20;
    assertThat(queue.next()).isEqualTo(1_000);
    assertThat(queue.next()).isNull();
    needs.put(1L, 0L);
    assertThat(queue.next()).isEqualTo(1);
  }

  @Test
  void a_look_while_there_is_no_room_has_a_bounded_cost_however_many_wait() {
    for (int run = 1; run <= 100_000; run++) {
      add(run, 1_000 + run);
    }

    assertThat(queue.next()).isNull();

    assertThat(looks).isLessThan(50);
  }
}
