package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Store;
import dev.hapax.store.UnknownCommit;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.time.Ports;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A standby that follows asynchronously takes over, without what the primary acknowledged last:
 * what was sent meanwhile is in doubt, and nothing is sent a second time in silence.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class PostgresFailoverTest {
  private static final HapaxOptions OPTIONS = HapaxOptions.DEFAULT.closeWithin(Duration.ZERO);
  private static final int RUNS = 10;

  private final List<String> reserved = new CopyOnWriteArrayList<>();
  private final List<String> invoiced = new CopyOnWriteArrayList<>();
  private final List<String> mailed = new CopyOnWriteArrayList<>();
  private final CountDownLatch sending = new CountDownLatch(RUNS);
  private final CountDownLatch mayReturn = new CountDownLatch(1);
  private PostgresServer primary;
  private @Nullable PostgresServer standby;

  @BeforeEach
  void start() {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    primary = PostgresServer.start(PostgresServer.Durability.NONE);
  }

  @AfterEach
  void stop() {
    if (standby != null) {
      standby.close();
    }
    if (primary != null) {
      primary.close();
    }
  }

  private Flow<String, String> order() {
    return Flow.of("order", String.class, String.class)
        .key(order -> order)
        .body(
            (run, order) -> {
              run.effect("reserve", Effect.create(order).keyed(), this::reserve, String.class);
              run.effect(
                  "invoice",
                  Effect.create(order)
                      .lookup(_ -> invoiced.contains(order) ? Optional.of("is") : Optional.empty()),
                  _ -> {
                    invoiced.add(order);
                    return "is";
                  },
                  String.class);
              run.effect(
                  "mail",
                  Effect.notify(order).unguarded(),
                  _ -> {
                    mailed.add(order);
                    return "";
                  },
                  String.class);
              return order;
            });
  }

  private String reserve(String key) throws InterruptedException {
    reserved.add(key);
    sending.countDown();
    mayReturn.await();
    return key;
  }

  @Test
  void what_was_sent_and_lost_with_the_primary_is_in_doubt_and_never_sent_again_in_silence()
      throws Exception {
    String url = primary.newDatabase();
    PostgresServer next = primary.standby();
    standby = next;
    String both =
        url.replace(":" + primary.port(), ":%d,127.0.0.1:%d".formatted(primary.port(), next.port()))
            + "&targetServerType=primary";
    String second = url.replace(":" + primary.port(), ":" + next.port());
    Flow<String, String> flow = order();
    List<RunHandle<String>> runs = new ArrayList<>();
    try (Hapax one = Hapax.open(both, OPTIONS);
        Hapax two = Hapax.open(both, OPTIONS)) {
      one.register(flow);
      two.register(flow);
      for (int number = 0; number < RUNS; number++) {
        runs.add((number % 2 == 0 ? one : two).start(flow, "A-" + number));
      }
      sending.await();
      stopFollowing(url, second);
      mayReturn.countDown();
      for (RunHandle<String> run : runs) {
        run.await();
      }
      String lost = one.start(flow, "B-1").await(); // not only its end is lost, but all of it
      int sent = reserved.size();

      primary.crash();
      next.promote();

      runs.add(two.start(flow, lost));
      for (RunHandle<String> run : runs) {
        awaitReview(one, run);
        assertThat(one.history(run.id()))
            .extracting(HistoryEntry::evidence)
            .anySatisfy(why -> assertThat(why).contains("server was replaced"));
      }
      assertThat(reserved).hasSizeGreaterThan(sent); // under its key, which removes the second
      assertThat(new HashSet<>(reserved)).hasSize(RUNS + 1);
    }
    assertThat(invoiced).hasSize(RUNS + 1).doesNotHaveDuplicates();
    assertThat(mailed).hasSize(RUNS + 1).doesNotHaveDuplicates();
  }

  private static void awaitReview(Hapax hapax, RunHandle<?> run) {
    while (hapax.run(run.id()).status() != RunStatus.REVIEW) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  /** When it has everything so far. */
  private static void stopFollowing(String first, String second) throws SQLException {
    try (Connection primary = DriverManager.getConnection(first);
        Connection standby = DriverManager.getConnection(second)) {
      String written = PostgresConnections.text(primary, "SELECT pg_current_wal_lsn()");
      await(standby, "SELECT pg_last_wal_replay_lsn() >= '%s'".formatted(written), "t");
      PostgresConnections.run(standby, "ALTER SYSTEM SET primary_conninfo = ''");
      PostgresConnections.run(standby, "SELECT pg_reload_conf()");
      await(standby, "SELECT count(*) FROM pg_stat_wal_receiver", "0");
    }
  }

  private static void await(Connection connection, String query, String value) throws SQLException {
    while (!value.equals(PostgresConnections.text(connection, query))) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  @Test
  void a_server_that_is_started_again_is_the_same_one_and_a_promoted_one_is_not() {
    String url = primary.newDatabase();
    open(url).close();
    primary.crash();
    primary.restart();
    try (Store store = open(url)) {
      assertThat(store.failovers()).isEmpty();
    }
    PostgresServer next = primary.standby();
    standby = next;
    primary.crash();
    next.promote();
    String second = url.replace(":" + primary.port(), ":" + next.port());
    for (int times = 0; times < 2; times++) { // noted once
      try (Store store = open(second)) {
        assertThat(store.failovers()).hasSize(1);
        assertThat(store.failovers().getFirst().lostSince())
            .isBeforeOrEqualTo(store.failovers().getFirst().notedAt());
      }
    }
  }

  @Test
  void what_was_sent_and_lost_when_the_server_was_set_back_is_never_sent_again_in_silence()
      throws Exception {
    mayReturn.countDown();
    String url = primary.newDatabase();
    Flow<String, String> flow = order();
    try (Hapax one = Hapax.open(url, OPTIONS)) {
      one.register(flow);
      Path copy = primary.copy();
      RunHandle<String> lost = one.start(flow, "A-1");
      lost.await();
      primary.crash(); // the next connection sees how far the server had come
      primary.restart();
      one.start(flow, "A-2").await();
      assertThat(mailed).containsExactly("A-1", "A-2");

      primary.setBackTo(copy);

      awaitReview(one, one.start(flow, "A-1"));
      assertThat(one.history(lost.id()))
          .extracting(HistoryEntry::evidence)
          .anySatisfy(why -> assertThat(why).contains("server was replaced"));
    }
    assertThat(invoiced).containsExactly("A-1", "A-2");
    assertThat(mailed).containsExactly("A-1", "A-2");
  }

  @Test
  void a_server_that_was_set_back_is_noticed_once_by_the_nodes_that_live() throws SQLException {
    String url = primary.newDatabase();
    try (Store one = open(url);
        Store two = open(url)) {
      heartbeats(one, two);
      Path copy = primary.copy();
      try (Connection other = DriverManager.getConnection(url)) {
        PostgresConnections.run(other, "SELECT pg_switch_wal()"); // more than a start writes
      }
      heartbeats(one, two); // each sees what was written before
      assertThat(one.failovers()).as("nothing is lost").isEmpty();

      primary.setBackTo(copy);
      heartbeats(one, two);

      assertThat(one.failovers()).singleElement().matches(failover -> !failover.isRestore());
      assertThat(two.failovers()).isEqualTo(one.failovers());
    }
    try (Store again = open(url)) {
      assertThat(again.failovers()).hasSize(1);
    }
  }

  private static void heartbeats(Store one, Store two) {
    heartbeat(one, 71);
    heartbeat(two, 72);
  }

  /** Tries again until there is a connection. The lease outlasts the test. */
  private static void heartbeat(Store store, long owner) {
    var report = new NodeReport(owner, Duration.ofHours(1), 0, false);
    while (true) {
      try {
        store.heartbeat(report);
        return;
      } catch (UnknownCommit | StoreUnavailable e) {
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      }
    }
  }

  private static Store open(String url) {
    return new PostgresStore(() -> DriverManager.getConnection(url), Ports.system().threads());
  }
}
