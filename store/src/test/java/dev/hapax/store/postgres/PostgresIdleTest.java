package dev.hapax.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Flow;
import dev.hapax.testkit.fault.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that has nothing to do leaves the server alone, but for its lease. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class PostgresIdleTest {
  private static final Pattern STATEMENT = Pattern.compile(" LOG: +(statement|execute [^:]*):");
  private static final String RENEWAL = "UPDATE lease SET owner";

  @Test
  void an_idle_node_sends_at_most_one_statement_in_a_second() throws Exception {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    Flow<String, String> flow =
        Flow.of("idle", String.class, String.class)
            .key(order -> order)
            .body(
                (run, order) -> {
                  run.sleep("long", Duration.ofDays(1));
                  return order;
                });
    try (PostgresServer server =
            PostgresServer.start(PostgresServer.Durability.NONE, Map.of("log_statement", "'all'"));
        Hapax hapax = Hapax.open(server.newDatabase(), HapaxOptions.DEFAULT)) {
      hapax.register(flow);
      String run = hapax.start(flow, "A-1").id();
      while (hapax.run(run).owner() != null) {
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      }
      int renewals = (int) statements(server).stream().filter(PostgresIdleTest::isRenewal).count();
      List<String> before = await(server, renewals + 1);
      long from = System.nanoTime();

      List<String> after = await(server, renewals + 3);

      double seconds = (System.nanoTime() - from) / 1e9;
      List<String> meanwhile = after.subList(before.size(), after.size());
      assertThat(meanwhile.size() / seconds).as("in %.1f s: %s", seconds, meanwhile).isLessThan(1);
    }
  }

  /** All statements up to the end of this renewal's transaction. */
  private static List<String> await(PostgresServer server, int renewals) throws IOException {
    while (true) {
      List<String> all = statements(server);
      int seen = 0;
      for (int i = 0; i < all.size(); i++) {
        seen += isRenewal(all.get(i)) ? 1 : 0;
        if (seen == renewals
            && all.subList(i, all.size()).stream().anyMatch(PostgresIdleTest::isCommit)) {
          return all;
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private static List<String> statements(PostgresServer server) throws IOException {
    return Files.readString(server.log(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> STATEMENT.matcher(line).find())
        .toList();
  }

  private static boolean isRenewal(String line) {
    return line.contains(RENEWAL);
  }

  private static boolean isCommit(String line) {
    return line.contains("COMMIT");
  }
}
