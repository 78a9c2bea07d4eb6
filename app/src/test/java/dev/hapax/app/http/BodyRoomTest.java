package dev.hapax.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who holds room in memory without using it loses it to others. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BodyRoomTest {
  private static final int ALL = 1 << 16;

  @Test
  void a_body_that_has_stopped_arriving_makes_room_for_another_and_only_as_many_as_needed() {
    var room = new BodyRoom(ALL);
    var ended = new AtomicInteger();
    for (int i = 0; i < 4; i++) {
      room.take(ALL / 4);
      room.begin(
          new BodyRoom.Arrival(
              ALL / 4,
              () -> {
                ended.incrementAndGet();
                room.give(ALL / 4);
              }));
    }

    long begin = System.nanoTime();
    room.take(ALL / 2);

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    assertThat(ended).hasValue(2);
  }
}
