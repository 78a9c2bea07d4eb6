package dev.hapax.app.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.app.release.Site;
import dev.hapax.flow.Run;
import dev.hapax.store.Store;
import dev.hapax.store.postgres.PostgresProvider;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.testkit.memory.MemoryCluster;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two nodes, each with a clock of its own that is set forward and back, on one store. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class SchedulesOfNodesTest {
  private static final Instant BEGIN = Instant.parse("2027-03-27T20:10:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

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
    private final ManualTime time = new ManualTime(System.nanoTime()); // an owner of its own
    private final LiveSchedules schedules;
    private final Site site;

    Node(Supplier<Store> join) {
      time.jumpTo(BEGIN);
      var made = new ArrayList<LiveSchedules>();
      this.site =
          new Site(
              join.get(),
              time.ports(),
              HapaxOptions.DEFAULT.lease(Duration.ofDays(1)),
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

    Duration passed() {
      return Duration.between(BEGIN, time.now());
    }

    void jump(Duration by) {
      time.jumpTo(time.now().plus(by));
    }

    /** Small steps besides the big one: a thread that read the clock before it waits from there. */
    void moveUntil(BooleanSupplier claim) {
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (!claim.getAsBoolean()) {
        assertThat(System.nanoTime())
            .as("%s at %s, %s", started(), time.now(), acme().schedules().list())
            .isLessThan(end);
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

  private static Stream<Named<Supplier<Store>>> stores() {
    var memory = new MemoryCluster(() -> BEGIN);
    Named<Supplier<Store>> inMemory = Named.of("in memory", memory::join);
    if (PostgresServer.obstacle() != null) {
      return Stream.of(inMemory);
    }
    String url = PostgresServer.shared().newDatabase();
    var provider = new PostgresProvider();
    return Stream.of(
        inMemory, Named.of("PostgreSQL", () -> provider.open(url, Ports.system().threads())));
  }

  @ParameterizedTest
  @MethodSource("stores")
  void clocks_that_jump_start_each_instant_once(Supplier<Store> join) {
    try (var two = new Node(join)) {
      try (var one = new Node(join)) {
        one.site.goLive("report", report("0 * * * *", "all"));
        two.site.releases.follow();
        one.time.move(HOUR);
        two.time.move(HOUR);
        one.moveUntil(() -> !one.started().isEmpty());

        one.jump(HOUR.multipliedBy(6)); // too far
        one.moveUntil(() -> one.started().size() >= 7);
        one.jump(HOUR.multipliedBy(-6));
        two.jump(HOUR.multipliedBy(-3));
        one.time.move(HOUR.multipliedBy(7)); // over all that it has started, and one more
        one.moveUntil(() -> one.started().size() >= 8);
        two.jump(HOUR.multipliedBy(12));
        two.moveUntil(() -> two.started().size() >= 10);
        two.jump(HOUR.multipliedBy(-2));
        one.time.move(HOUR.multipliedBy(2));
        two.time.move(HOUR.multipliedBy(2));
        assertThat(two.started()).isEqualTo(hours(1, 10));
        assertThat(one.schedules.missed() + two.schedules.missed()).isZero();
      }

      two.time.move(HOUR); // alone, with a clock that was set back
      two.moveUntil(() -> two.started().size() >= 11);
      assertThat(two.started()).isEqualTo(hours(1, 11));
      assertThat(two.schedules.missed()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("stores")
  void any_jumps_of_two_clocks_start_each_instant_once(Supplier<Store> join) {
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    System.out.println("seed " + seed);
    var random = new SplittableRandom(seed);
    try (var one = new Node(join);
        var two = new Node(join)) {
      one.site.goLive("report", report("0 * * * *", "all"));
      two.site.releases.follow();
      Duration furthest = Duration.ZERO;
      for (int i = 0; i < 40; i++) {
        Node node = random.nextBoolean() ? one : two;
        Duration by = Duration.ofMinutes(random.nextInt(-240, 300));
        if (by.isPositive() && random.nextBoolean()) {
          node.time.move(by);
        } else {
          node.jump(by);
        }
        furthest = longer(furthest, longer(one.passed(), two.passed()));
        Instant meanwhile = node.time.now().plusMillis(random.nextInt(200));
        node.moveUntil(() -> !node.time.now().isBefore(meanwhile));
      }
      // A node may have started what the wrong clock showed; the next instant starts at its time.
      int last = (int) furthest.plusMinutes(10).toHours() + 1;
      for (Node node : List.of(one, two)) {
        node.time.jumpTo(BEGIN.truncatedTo(ChronoUnit.HOURS).plus(HOUR.multipliedBy(last)));
        node.moveUntil(() -> node.started().size() >= last);
      }

      assertThat(one.started()).isEqualTo(hours(1, last));
      assertThat(one.schedules.missed() + two.schedules.missed()).isZero();
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  @Test
  void what_a_jump_leaves_out_is_counted() {
    var cluster = new MemoryCluster(() -> BEGIN);
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
    var cluster = new MemoryCluster(() -> BEGIN);
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
