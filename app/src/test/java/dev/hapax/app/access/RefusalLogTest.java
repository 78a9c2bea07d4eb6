package dev.hapax.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.http.AuditTrail;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Refused requests are counted until a line about them is in the log. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class RefusalLogTest {
  private final ManualTime time = new ManualTime();
  private final List<AuditTrail.Line> written = new ArrayList<>();
  private int room = Integer.MAX_VALUE;
  private final RefusalLog refusals =
      new RefusalLog(
          line -> {
            if (written.size() >= room) {
              throw new StoreUnavailable("away", null);
            }
            written.add(line);
          },
          time.ports().clock());

  private static AuditTrail.Line by(String actor) {
    return new AuditTrail.Line("default", actor, null, null, "GET /api/runs", "", "refused: x");
  }

  @Test
  void counts_that_the_store_did_not_take_are_written_with_the_next_ones() {
    Instant begin = time.ports().clock().now();
    refusals.count(by("ann"));
    refusals.count(by("bob"));
    refusals.count(by("bob"));
    room = 1;
    refusals.flush();
    time.move(Duration.ofMinutes(1));
    refusals.count(by("bob"));
    refusals.count(by("cid"));
    room = Integer.MAX_VALUE;

    refusals.flush();
    refusals.flush();

    assertThat(written)
        .containsExactly(
            by("ann").outcome("refused: x, 1 times since " + begin),
            by("bob").outcome("refused: x, 3 times since " + begin),
            by("cid").outcome("refused: x, 1 times since " + begin));
  }

  @Test
  void counts_that_wait_for_the_store_stay_bounded() {
    room = 0;
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < RefusalLog.MOST_LINES; i++) {
        refusals.count(by("caller %d of %d".formatted(i, round)));
      }
      refusals.flush();
    }
    room = Integer.MAX_VALUE;

    refusals.flush();

    assertThat(written).hasSize(RefusalLog.MOST_LINES + 1);
    assertThat(written.getLast().outcome())
        .contains("x, %d times".formatted(4 * RefusalLog.MOST_LINES));
  }
}
