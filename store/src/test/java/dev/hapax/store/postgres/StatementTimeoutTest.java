package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.store.Store;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.time.Ports;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limits that an administrator sets for statements do not apply to those of the store. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class StatementTimeoutTest {
  @Test
  void a_statement_that_takes_longer_than_the_limit_of_role_and_database_is_not_cut_short()
      throws Exception {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    try (PostgresServer server = PostgresServer.start(PostgresServer.Durability.NONE)) {
      String url = server.newDatabase();
      try (Connection other = DriverManager.getConnection(url)) {
        String database = PostgresConnections.text(other, "SELECT current_database()");
        PostgresConnections.run(
            other, "ALTER DATABASE %s SET statement_timeout = '100ms'".formatted(database));
        PostgresConnections.run(
            other,
            "ALTER ROLE CURRENT_USER IN DATABASE %s SET statement_timeout = '100ms'"
                .formatted(database));
      }
      try (Store store =
              new PostgresStore(() -> DriverManager.getConnection(url), Ports.system().threads());
          Connection other = DriverManager.getConnection(url);
          Connection watcher = DriverManager.getConnection(url)) {
        assertThat(PostgresConnections.text(other, "SHOW statement_timeout")).isEqualTo("100ms");
        other.setAutoCommit(false);
        PostgresConnections.run(other, "LOCK TABLE hapax.run IN ACCESS EXCLUSIVE MODE");

        var read = CompletableFuture.supplyAsync(() -> store.run(1) == null);
        while (!"1"
            .equals(
                PostgresConnections.text(
                    watcher,
                    """
                    SELECT count(*) FROM pg_stat_activity
                    WHERE wait_event_type = 'Lock' AND clock_timestamp() - query_start > interval '300 ms'
                    """))) {
          LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
        other.rollback();

        assertThat(read.get()).isTrue();
      }
      assertThat(Files.readString(server.log())).doesNotContain("due to statement timeout");
    }
  }
}
