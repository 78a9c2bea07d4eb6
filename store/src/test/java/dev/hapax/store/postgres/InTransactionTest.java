package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.KeyReused;
import dev.hapax.RunHandle;
import dev.hapax.flow.ConcurrencyLimit;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Run;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that is started in the caller's own transaction. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class InTransactionTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final AtomicInteger sent = new AtomicInteger();
  private final Flow<Order, String> ship =
      Flow.of("ship", Order.class, String.class)
          .key(Order::id)
          .body(
              (run, order) ->
                  run.effect(
                      "send",
                      Effect.create(order.id()).keyed(),
                      key -> order.id() + " is parcel " + sent.incrementAndGet(),
                      String.class));
  private String url;
  private Hapax hapax;
  private Connection connection;

  /** What is shipped. */
  record Order(String id, int pieces) {}

  @BeforeEach
  void open() throws SQLException {
    url = TestDatabase.freshUrl();
    hapax = openHapax();
    connection = DriverManager.getConnection(url);
    sql("CREATE TABLE orders (id text PRIMARY KEY)");
    connection.setAutoCommit(false);
  }

  private Hapax openHapax() {
    var opened = Hapax.open(url, HapaxOptions.DEFAULT);
    opened.register(ship);
    return opened;
  }

  @AfterEach
  void close() throws SQLException {
    if (hapax != null) {
      hapax.close();
      connection.close();
    }
  }

  @Test
  void the_row_and_the_run_are_committed_together() throws SQLException {
    sql("INSERT INTO orders VALUES ('A-1')");
    RunHandle<String> run = hapax.in(connection).start(ship, new Order("A-1", 2));

    assertThat(run.isDuplicate()).isFalse();
    assertThatThrownBy(run::run).isInstanceOf(NotFound.class);
    connection.commit();

    assertThat(run.await(SOON)).isEqualTo("A-1 is parcel 1");
    assertThat(run.history()).isNotEmpty();
  }

  @Test
  void a_rollback_leaves_nothing() throws SQLException {
    sql("INSERT INTO orders VALUES ('A-1')");
    RunHandle<String> run = hapax.in(connection).start(ship, new Order("A-1", 2));
    connection.rollback();

    assertThatThrownBy(run::run).isInstanceOf(NotFound.class);
    assertThat(hapax.start(ship, new Order("A-1", 3)).await()).isEqualTo("A-1 is parcel 1");
  }

  @Test
  void a_process_that_dies_before_the_commit_leaves_nothing() throws SQLException {
    RunHandle<String> run = hapax.in(connection).start(ship, new Order("A-1", 2));
    try (Connection other = DriverManager.getConnection(url);
        Statement statement = other.createStatement()) {
      statement.execute(
          "SELECT pg_terminate_backend(%d, 10000)"
              .formatted(connection.unwrap(org.postgresql.PGConnection.class).getBackendPID()));
    }

    assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    assertThatThrownBy(run::run).isInstanceOf(NotFound.class);
    assertThat(hapax.start(ship, new Order("A-1", 2)).isDuplicate()).isFalse();
  }

  @Test
  void a_run_whose_process_ends_right_after_the_commit_goes_on_in_the_next() throws SQLException {
    RunHandle<String> run = hapax.in(connection).start(ship, new Order("A-1", 2));
    hapax.close();
    connection.commit();
    hapax = openHapax();

    assertThat(hapax.handle(run.id(), String.class).await(SOON)).isEqualTo("A-1 is parcel 1");
  }

  @Test
  void duplicates_and_reused_keys_are_reported_inside() throws SQLException {
    String first = hapax.start(ship, new Order("A-1", 2)).id();
    RunHandle<String> second = hapax.in(connection).start(ship, new Order("A-2", 1));

    assertThat(hapax.in(connection).start(ship, new Order("A-1", 2)))
        .matches(RunHandle::isDuplicate)
        .matches(run -> run.id().equals(first));
    assertThat(hapax.in(connection).start(ship, new Order("A-2", 1)))
        .matches(RunHandle::isDuplicate)
        .matches(run -> run.id().equals(second.id()));
    assertThatThrownBy(() -> hapax.in(connection).start(ship, new Order("A-1", 5)))
        .isInstanceOf(KeyReused.class);
    assertThatThrownBy(() -> hapax.in(connection).start(ship, new Order("A-2", 5)))
        .isInstanceOf(KeyReused.class);
    connection.commit();

    assertThat(second.await(SOON)).startsWith("A-2 is parcel");
    assertThat(sent).hasValue(2);
  }

  @Test
  void the_transaction_keeps_its_settings() throws SQLException {
    sql("CREATE SCHEMA shop");
    sql("SET LOCAL search_path = shop, public");
    hapax.in(connection).start(ship, new Order("A-1", 2));

    assertThat(PostgresConnections.text(connection, "SHOW search_path")).isEqualTo("shop, public");
    connection.commit();
    assertThat(PostgresConnections.text(connection, "SHOW search_path"))
        .isEqualTo("\"$user\", public");
  }

  @Test
  void a_start_of_the_same_key_elsewhere_waits_and_the_others_continue() throws Exception {
    RunHandle<String> run = hapax.in(connection).start(ship, new Order("A-1", 2));
    var same = CompletableFuture.supplyAsync(() -> hapax.start(ship, new Order("A-1", 2)));
    while (PostgresConnections.text(
            connection,
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'transactionid' AND datname = current_database()")
        .equals("0")) {
      Thread.onSpinWait();
    }

    assertThat(hapax.start(ship, new Order("A-2", 2)).await(SOON)).isEqualTo("A-2 is parcel 1");
    assertThat(same).isNotDone();
    connection.commit();

    assertThat(same.get(20, TimeUnit.SECONDS)).matches(RunHandle::isDuplicate);
    assertThat(run.await(SOON)).isEqualTo("A-1 is parcel 2");
  }

  @Test
  void a_flow_that_is_full_refuses_inside() throws SQLException {
    Flow<Order, String> one =
        Flow.of("one", Order.class, String.class)
            .key(Order::id)
            .concurrency(1, Overflow.REJECT)
            .body((run, order) -> order.id());
    hapax.register(one);
    RunHandle<String> run = hapax.in(connection).start(one, new Order("A-1", 2));

    assertThatThrownBy(() -> hapax.in(connection).start(one, new Order("A-2", 2)))
        .isInstanceOf(ConcurrencyLimit.class);
    connection.commit();

    assertThat(run.await(SOON)).isEqualTo("A-1");
  }

  @Test
  void a_connection_that_leads_elsewhere_is_refused_and_can_go_on(@TempDir Path folder)
      throws SQLException {
    try (Connection elsewhere = DriverManager.getConnection(TestDatabase.freshUrl());
        Connection file = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("a.db"));
        Hapax inFile = Hapax.open(folder.resolve("hapax.db"))) {
      elsewhere.setAutoCommit(false);
      inFile.register(ship);
      var order = new Order("A-1", 2);

      assertThatThrownBy(() -> hapax.in(elsewhere).start(ship, order))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not to the PostgreSQL database that Hapax uses");
      assertThat(PostgresConnections.text(elsewhere, "SELECT 1")).isEqualTo("1");
      assertThatThrownBy(() -> hapax.in(file).start(ship, order))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> inFile.in(connection).start(ship, order))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("Hapax.open(dataSource)");
      connection.setAutoCommit(true);
      assertThatThrownBy(() -> hapax.in(connection).start(ship, order))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("setAutoCommit(false)");
    }
  }

  @Test
  void another_store_on_its_own_database_is_not_ours() throws SQLException {
    try (Hapax other = Hapax.open(TestDatabase.freshUrl(), HapaxOptions.DEFAULT)) {
      other.register(ship);

      assertThatThrownBy(() -> other.in(connection).start(ship, new Order("A-1", 2)))
          .isInstanceOf(IllegalArgumentException.class);
      hapax.in(connection).start(ship, new Order("A-1", 2));
      connection.commit();

      assertThat(hapax.runs(hapax.runs())).extracting(Run::key).containsExactly("A-1");
    }
  }

  private void sql(String text) throws SQLException {
    PostgresConnections.run(connection, text);
  }
}
