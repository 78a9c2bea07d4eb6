package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import dev.hapax.store.UnknownCommit;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.time.Ports;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A primary and its synchronous standby. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class PostgresStandbyTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int RUNS = 60;
  private static final String ENTRIES =
      JournalRow.write(List.of(new WaitEntry.WaitEnded(new Step("settle", null))));

  private PostgresServer primary;
  private PostgresServer standby;
  private String url;

  @BeforeEach
  void start() throws SQLException {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    primary = PostgresServer.start(PostgresServer.Durability.NONE);
    url = primary.newDatabase();
    standby = primary.standby();
    try (Connection connection = DriverManager.getConnection(url)) {
      await(connection, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'", "1");
      PostgresConnections.run(connection, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      PostgresConnections.run(connection, "SELECT pg_reload_conf()");
      await(connection, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'", "1");
    }
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

  @Test
  void no_run_that_was_accepted_is_lost_when_the_standby_takes_over() throws Exception {
    Set<String> sent = ConcurrentHashMap.newKeySet();
    Flow<String, String> ship =
        Flow.of("ship", String.class, String.class)
            .key(order -> order)
            .body(
                (run, order) -> {
                  for (String step : List.of("pack", "send")) {
                    run.effect(
                        step,
                        Effect.create(order).keyed(),
                        key -> {
                          sent.add(step + " " + order);
                          return order;
                        },
                        String.class);
                  }
                  return order;
                });
    String both =
        url.replace(
                ":" + primary.port(), ":%d,127.0.0.1:%d".formatted(primary.port(), standby.port()))
            + "&targetServerType=primary";
    var under = new CountDownLatch(RUNS / 3);
    try (Hapax hapax = Hapax.open(both, HapaxOptions.DEFAULT);
        var callers = Executors.newFixedThreadPool(4)) {
      hapax.register(ship);
      List<Future<RunHandle<String>>> starts =
          IntStream.range(0, RUNS)
              .mapToObj(
                  number ->
                      callers.submit(
                          () -> {
                            RunHandle<String> run = hapax.start(ship, "A-" + number);
                            under.countDown();
                            return run;
                          }))
              .toList();
      under.await();
      primary.crash();
      standby.promote();

      for (Future<RunHandle<String>> start : starts) {
        assertThat(start.get().await(SOON)).startsWith("A-");
      }
    }
    assertThat(sent).hasSize(2 * RUNS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pg_cancel_backend", "pg_terminate_backend"})
  void a_commit_that_no_longer_waits_for_the_standby_is_unknown_and_lands_once(String interruption)
      throws Exception {
    NewRun run = TestRuns.newRun(3, "A-2");
    Batch batch = inserting(run);
    try (Connection connection = DriverManager.getConnection(url);
        Store store = open(url)) {
      store.commit(inserting(TestRuns.newRun(1, "A-1"))); // the first commit of a store writes more
      standby.crash();
      CompletableFuture<List<GroupAnswer>> commit =
          CompletableFuture.supplyAsync(() -> store.commit(batch));
      String waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      await(connection, "SELECT count(*) " + waiting, "1");
      PostgresConnections.run(connection, "SELECT %s(pid) %s".formatted(interruption, waiting));

      assertThatThrownBy(() -> commit.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(UnknownCommit.class);
      standby.restart();

      assertThat(store.commit(batch)).hasOnlyElementsOfType(GroupAnswer.Landed.class);
      assertThat(store.journal(run.number())).hasSize(1);
      primary.crash();
      standby.promote();
      assertThat(
              PostgresConnections.text(
                  DriverManager.getConnection(
                      url.replace(":" + primary.port(), ":" + standby.port())),
                  "SELECT count(*) FROM hapax.journal"))
          .isEqualTo("2");
    }
  }

  private static Batch inserting(NewRun run) {
    var head = new Head.Insert(run, 71L);
    return new Batch(List.of(new Group(run.number() + 1, NOW, head, List.of(), ENTRIES)));
  }

  private static Store open(String url) {
    return new PostgresStore(() -> DriverManager.getConnection(url), Ports.system().threads());
  }

  private static void await(Connection connection, String query, String value) throws SQLException {
    while (!value.equals(PostgresConnections.text(connection, query))) {
      Thread.onSpinWait();
    }
  }
}
