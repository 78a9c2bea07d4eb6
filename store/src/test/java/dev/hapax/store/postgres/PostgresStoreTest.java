package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Step;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreRefused;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.WaitEntry;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Store;
import dev.hapax.store.UnknownCommit;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.time.IdSource;
import dev.hapax.time.Ports;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is the PostgreSQL store's own: leases, lost connections, other servers. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class PostgresStoreTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final long OWNER = 71;
  private static final String ENTRIES =
      JournalRow.write(List.of(new WaitEntry.WaitEnded(new Step("settle", null))));

  private static final String BLOCKED =
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND application_name = 'hapax'";

  private long lastNumber = 1_900_000_000_000L << 20;

  @Test
  void flows_run_on_a_data_source_and_on_an_address() {
    String url = TestDatabase.freshUrl();
    Flow<String, String> greet =
        Flow.of("greet", String.class, String.class)
            .key(name -> name)
            .body(
                (run, name) ->
                    run.effect(
                        "greeting",
                        Effect.create(name).keyed(),
                        key -> "hello " + name,
                        String.class));
    try (Hapax hapax = Hapax.open(TestDatabase.source(url))) {
      hapax.register(greet);
      assertThat(hapax.start(greet, "Ann").await()).isEqualTo("hello Ann");
    }

    try (Hapax hapax = Hapax.open(url, HapaxOptions.DEFAULT)) {
      hapax.register(greet);
      var again = hapax.start(greet, "Ann");

      assertThat(again.isDuplicate()).isTrue();
      assertThat(again.await()).isEqualTo("hello Ann");
    }
  }

  @Test
  void a_node_whose_runs_were_taken_over_writes_nothing_more() {
    DataSource source = TestDatabase.empty(PostgresStoreTest.class);
    try (Store first = open(source);
        Store second = open(source)) {
      NewRun run = newRun("A-1");
      first.heartbeat(report(OWNER));
      commit(first, insert(run));
      // With short leases a busy machine loses the second one too, and that node may not judge.
      sql(source, "UPDATE lease SET held_since = held_since - interval '1 hour'");
      sql(
          source,
          "UPDATE lease SET expires_at = clock_timestamp() - interval '1 second' WHERE mark = %d"
              .formatted(first.mark()));
      assertThat(second.heartbeat(report(OWNER + 1)).adopted()).hasSize(1);

      assertThatThrownBy(() -> commit(first, insert(newRun("A-2"))))
          .isInstanceOf(StoreBroken.class)
          .hasMessageContaining("lost its lease");
      assertThatThrownBy(() -> commit(first, plain(run))).isInstanceOf(StoreBroken.class);

      assertThat(second.find(newRun("A-2").id())).isNull();
      assertThat(second.journal(run.number())).hasSize(1);
      assertThat(second.run(run.number())).extracting(found -> found.owner()).isEqualTo(OWNER + 1);
    }
  }

  @Test
  void a_batch_whose_connection_was_cut_lands_once() {
    DataSource source = TestDatabase.empty(PostgresStoreTest.class);
    try (Store store = open(source)) {
      NewRun run = newRun("A-1");
      commit(store, insert(run));
      Group next = plain(run);
      sql(
          source,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hapax' AND datname = current_database()");

      commitUntilKnown(store, next);
      GroupAnswer again = commit(store, next);

      assertThat(again).isInstanceOf(GroupAnswer.Landed.class);
      assertThat(store.journal(run.number())).hasSize(2);
    }
  }

  @Test
  void a_server_that_crashes_and_comes_back_has_lost_nothing() {
    try (PostgresServer server = server()) {
      DataSource source = TestDatabase.source(server.newDatabase());
      try (Store store = open(source)) {
        NewRun run = newRun("A-1");
        commit(store, insert(run));

        server.crash();
        Group next = plain(run);
        assertThatThrownBy(() -> commit(store, next)).isInstanceOf(UnknownCommit.class);
        server.restart();

        commitUntilKnown(store, next);
        assertThat(store.journal(run.number())).hasSize(2);
      }
    }
  }

  @Test
  void a_canceled_wait_for_the_standby_is_an_unknown_commit() throws Exception {
    try (PostgresServer server = server();
        var other = Executors.newSingleThreadExecutor()) {
      DataSource source = TestDatabase.source(server.newDatabase());
      try (Store store = open(source)) {
        sql(source, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
        sql(source, "SELECT pg_reload_conf()");
        Group group = insert(newRun("A-1"));
        var answer = CompletableFuture.supplyAsync(() -> commit(store, group), other);
        while (!answer.isDone()) {
          sql(
              source,
              "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
        }

        assertThat(answer)
            .failsWithin(Duration.ofSeconds(1))
            .withThrowableThat()
            .withCauseInstanceOf(UnknownCommit.class);

        var again = CompletableFuture.supplyAsync(() -> commit(store, group), other);
        assertThatThrownBy(() -> again.get(300, TimeUnit.MILLISECONDS))
            .as("what has landed here still waits for the standby")
            .isInstanceOf(TimeoutException.class);
        sql(source, "ALTER SYSTEM RESET synchronous_standby_names");
        sql(source, "SELECT pg_reload_conf()");
        assertThat(again.get()).isInstanceOf(GroupAnswer.Landed.class);
      }
    }
  }

  /** The tombstone of an effect may be all that is left of the newest number. */
  @Test
  void no_number_is_made_again_of_which_only_the_effects_tombstone_is_left() {
    DataSource source = TestDatabase.empty(PostgresStoreTest.class);
    long number = lastNumber + (5_000_000_000L << 20);
    sql(
        source,
        "INSERT INTO hapax.expired_effect (number, hash, kind, state, revision, until)"
            + " VALUES (%d, '\\x01', 'create', 'done', 1, 0)".formatted(number));

    try (Store store = open(source)) {
      assertThat(store.newestAt()).isAfterOrEqualTo(IdSource.timeOf(number));
    }
  }

  /** Under READ COMMITTED a statement that waited for a row judges it by what it read before. */
  @Test
  void an_object_that_another_node_renews_meanwhile_is_not_forgotten() throws Exception {
    DataSource source = TestDatabase.empty(PostgresStoreTest.class);
    try (Store store = open(source);
        Connection other = source.getConnection();
        Statement renewal = other.createStatement();
        var thread = Executors.newSingleThreadExecutor()) {
      sql(
          source,
          "INSERT INTO hapax.inbox_object (tenant, source, object, version, number) VALUES ('acme', 'shop', 'order/7', 1, 5)");
      other.setAutoCommit(false);
      renewal.execute("UPDATE hapax.inbox_object SET version = 2, number = 500");
      Group forget = Group.always(++lastNumber, NOW, List.of(new Change.ForgetEvents(100, 10)));
      var answer = CompletableFuture.supplyAsync(() -> commit(store, forget), thread);
      while (!answer.isDone() && count(source, BLOCKED) == 0) {
        Thread.onSpinWait();
      }
      other.commit();

      assertThat(answer.get()).isInstanceOf(GroupAnswer.Landed.class);
      assertThat(count(source, "SELECT count(*) FROM hapax.inbox_object WHERE version = 2"))
          .isEqualTo(1);
    }
  }

  @Test
  void a_store_of_a_newer_version_is_refused() {
    DataSource source = TestDatabase.source(TestDatabase.freshUrl());
    open(source).close();
    sql(source, "INSERT INTO hapax.migration VALUES (99, 'newer', 'x')");

    assertThatThrownBy(() -> open(source))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("newer Hapax");
  }

  // ---- set-up

  private static PostgresServer server() {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    return PostgresServer.start(PostgresServer.Durability.FULL);
  }

  private static Store open(DataSource source) {
    return new PostgresStore(source::getConnection, Ports.system().threads());
  }

  private NewRun newRun(String key) {
    return TestRuns.newRun(++lastNumber, key);
  }

  private Group insert(NewRun run) {
    return new Group(++lastNumber, NOW, new Head.Insert(run, OWNER), List.of(), ENTRIES);
  }

  private Group plain(NewRun run) {
    return new Group(++lastNumber, NOW, new Head.Owned(run.number(), OWNER, 1), List.of(), ENTRIES);
  }

  private static NodeReport report(long owner) {
    return new NodeReport(owner, Duration.ofMinutes(1), 10, false);
  }

  private static GroupAnswer commit(Store store, Group group) {
    return store.commit(new Batch(List.of(group))).getFirst();
  }

  private static void commitUntilKnown(Store store, Group group) {
    for (int tries = 1; ; tries++) {
      try {
        assertThat(commit(store, group)).isInstanceOf(GroupAnswer.Landed.class);
        return;
      } catch (UnknownCommit e) {
        assertThat(tries).isLessThan(100);
      }
    }
  }

  private static long count(DataSource source, String query) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(query, e);
    }
  }

  private static void sql(DataSource source, String text) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    } catch (SQLException e) {
      throw new IllegalStateException(text, e);
    }
  }
}
