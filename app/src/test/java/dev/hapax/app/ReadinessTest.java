package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.testkit.fault.PostgresServer;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server says that it is not ready while its database is away. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class ReadinessTest {
  @TempDir Path folder;

  @Test
  void a_server_whose_database_is_away_is_not_ready_until_it_is_back() throws Exception {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    try (var database = PostgresServer.start(PostgresServer.Durability.FULL);
        var server = new TestServer(folder, "store.url=" + database.newDatabase())) {
      assertThat(server.get("/readyz").status()).isEqualTo(200);
      database.crash();
      await(server, 503);
      assertThat(server.get("/readyz").at("/detail")).isEqualTo("the store does not answer");
      assertThat(server.get("/healthz").status()).isEqualTo(200);
      var runs = server.get("/api/runs");
      assertThat(runs.status()).isEqualTo(503);
      assertThat(runs.at("/detail")).startsWith("the store does not answer: try again soon");
      database.restart();
      await(server, 200);
      assertThat(server.get("/api/runs").status()).isEqualTo(200);
    }
  }

  private static void await(TestServer server, int status) {
    while (server.get("/readyz").status() != status) {
      LockSupport.parkNanos(50_000_000); // the test's own time limit ends this
    }
  }
}
