package dev.hapax.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.app.release.Site;
import dev.hapax.run.Run;
import dev.hapax.store.Store;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes, each with a clock of its own that is set forward and back, on one store. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchedulesOfNodesTest {
  private static final Instant BEGIN = Instant.parse("2027-03-27T20:10:00Z");

  private static String report(String cron, String catchUp) {
    return """
        flow: report
        triggers:
          - schedule: {name: hourly, cron: "%s", timezone: UTC, catchUp: %s, input: {of: "${schedule.time}"}}
        steps:
          - id: keep
            set: {of: "${input.of}"}
        """
        .formatted(cron, catchUp);
  }

  /** A process with its own clock. */
  private static final class Node implements AutoCloseable {
    private final ManualTime time = new ManualTime();
    private final LiveSchedules schedules;
    private final Site site;

    Node(Supplier<Store> join) {
      time.jumpTo(BEGIN);
      var made = new ArrayList<LiveSchedules>();
      this.site =
          new Site(
              join.get(),
              time.ports(),
              site -> {
                made.add(new LiveSchedules(site.hapax::tenant));
                site.releases.onPromotion(made.getFirst());
                return new ScheduleRoutes(site.live).routes();
              });
      this.schedules = made.getFirst();
    }

    Hapax acme() {
      return site.hapax.tenant("acme");
    }

    List<String> started() {
      return acme().runs(acme().runs()).stream().map(Run::key).sorted().toList();
    }

    /** Small steps beside the big one: whoever read the clock before it waits from there on. */
    void moveUntil(BooleanSupplier claim) {
      while (!claim.getAsBoolean()) {
        time.move(Duration.ofMillis(10));
        LockSupport.parkNanos(1_000_000);
      }
    }

    @Override
    public void close() {
      site.close();
    }
  }

  private static List<String> hours(int first, int last) {
    return Stream.iterate(first, hour -> hour <= last, hour -> hour + 1)
        .map(hour -> BEGIN.truncatedTo(ChronoUnit.HOURS).plusSeconds(hour * 3600L))
        .map(instant -> "schedule/hourly/" + instant)
        .toList();
  }

  @Test
  void what_a_jump_leaves_out_is_counted() {
    var cluster = new MemoryCluster(Instant::now);
    try (var one = new Node(cluster::join);
        var two = new Node(cluster::join)) {
      one.site.goLive("report", report("0 * * * *", "latest"));
      two.site.releases.follow();

      one.time.jumpTo(BEGIN.plus(Duration.ofHours(5)));
      one.moveUntil(() -> one.started().size() == 1 && one.schedules.missed() > 0);

      assertThat(one.started()).isEqualTo(hours(5, 5));
      assertThat(one.schedules.missed() + two.schedules.missed()).isEqualTo(4);
    }
  }

  @Test
  void what_another_node_promotes_is_started_when_that_one_is_gone() {
    var cluster = new MemoryCluster(Instant::now);
    try (var two = new Node(cluster::join)) {
      try (var one = new Node(cluster::join)) {
        one.site.goLive("report", report("0 * * * *", "all"));
        two.site.releases.follow();
        one.site.goLive("report", report("30 * * * *", "all"));
        two.site.releases.follow();
      }

      two.time.move(Duration.ofMinutes(55)); // past 21:00, which counts no more
      two.moveUntil(() -> !two.started().isEmpty());

      assertThat(two.started()).containsExactly("schedule/hourly/2027-03-27T20:30:00Z");
      Run run = two.acme().runs(two.acme().runs()).getFirst();
      assertThat(run.release()).isEqualTo(2);
    }
  }
}
