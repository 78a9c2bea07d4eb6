package dev.hapax.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.Order.Workload;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.FaultProxy;
import dev.hapax.testkit.fault.PostgresProxy;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.testkit.fault.Programme;
import dev.hapax.testkit.fault.Results;
import dev.hapax.testkit.fault.SinkFaults;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Two processes share a database whose reads and writes fail at random while they are killed:
 * connections are cut, closed by one side and delayed at any byte, statements are answered by
 * errors, backends are terminated and canceled, and idle sessions are disconnected. {@code
 * -Dhapax.server.faults} says how many faults there are, {@code -Dhapax.seed} repeats a seed.
 */
@Tag("crash")
@ResourceLock("kills") // beside each other they are so slow that runs get nowhere between two kills
class ServerFaultsTest {
  private static final int NODES = 2;
  private static final int OVERLAP = 10;
  private static final int MOST_BYTES = 30_000;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** Out of memory, canceled or past its time, an I/O error, the server's own fault. */
  private static final List<String> ERRORS = List.of("53200", "57014", "58030", "XX000");

  @TempDir Path directory;

  private final List<ChildProcess> nodes = new ArrayList<>();
  private final Map<Kind, Integer> done = new EnumMap<>(Kind.class);

  private enum Kind {
    AT_A_BYTE,
    ERROR,
    TERMINATED,
    CANCELED,
    KILLED,
    ENDED_ITSELF
  }

  private static final List<Kind> LIVED_THROUGH =
      List.of(Kind.AT_A_BYTE, Kind.ERROR, Kind.TERMINATED, Kind.CANCELED);

  @Test
  void reads_and_writes_that_fail_lose_nothing_and_repeat_nothing() throws Exception {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    System.out.println("seed " + seed);
    var random = new SplittableRandom(seed);
    var programme = Programme.of("hapax.server.faults", 60, 2_000);
    var faults = new SinkFaults(seed, 0.03, 0.02, 0.03, 0.03, SinkFaults.First.BY_CHANCE);
    try (PostgresServer server = PostgresServer.start(PostgresServer.Durability.FULL);
        FaultProxy bytes = FaultProxy.before(server.port());
        PostgresProxy messages = PostgresProxy.before(bytes.port())) {
      String url = server.newDatabase();
      sql(url, "ALTER DATABASE %s SET idle_session_timeout = '1s'".formatted(name(url)));
      try (Site site = Site.shared(directory, through(url, server, messages), faults)) {
        while (programme.goesOn(count())) {
          fill(site, bytes, messages);
          strike(site, url, random, bytes, messages);
          LockSupport.parkNanos(Duration.ofMillis(random.nextInt(20, 300)).toNanos());
        }
        bytes.disarm();
        messages.disarm();
        end(site);
        judge(site, seed, programme, messages.given());
      } finally {
        nodes.forEach(ChildProcess::close);
      }
    }
  }

  private static <T> T oneOf(List<T> all, SplittableRandom random) {
    return all.get(random.nextInt(all.size()));
  }

  private void strike(
      Site site, String url, SplittableRandom random, FaultProxy bytes, PostgresProxy messages)
      throws Exception {
    Kind kind = random.nextInt(20) == 0 ? Kind.KILLED : oneOf(LIVED_THROUGH, random);
    switch (kind) {
      case AT_A_BYTE -> {
        FaultProxy.Fault fault = oneOf(List.of(FaultProxy.Fault.values()), random);
        bytes.failAfter(fault, random.nextInt(1, MOST_BYTES));
      }
      case ERROR -> messages.answerWith(ERRORS.get(random.nextInt(ERRORS.size())));
      case TERMINATED -> signal(url, "pg_terminate_backend");
      case CANCELED -> signal(url, "pg_cancel_backend");
      case KILLED -> {
        ChildProcess killed = nodes.remove(random.nextInt(nodes.size()));
        killed.kill();
        site.hear(killed);
      }
      case ENDED_ITSELF -> throw new IllegalStateException("is not done from outside");
    }
    done.merge(kind, 1, Integer::sum);
  }

  /** To one of the engines' backends, reader or writer. */
  private static void signal(String url, String how) throws SQLException {
    sql(
        url,
        "SELECT %s(pid) FROM pg_stat_activity WHERE application_name = 'hapax' ORDER BY random() LIMIT 1"
            .formatted(how));
  }

  private int count() {
    return done.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * A process that has lost its lease ends itself, as it should, and is replaced. While one opens
   * the store nothing fails: it would say so and end.
   */
  private void fill(Site site, FaultProxy bytes, PostgresProxy messages) throws Exception {
    for (ChildProcess node : List.copyOf(nodes)) {
      if (node.firstLine(line -> line.startsWith(OrderProcess.BROKEN)).isPresent()) {
        assertThat(node.awaitExit(LONGEST)).as("%s", node).isEqualTo(OrderProcess.EXIT_BROKEN);
        nodes.remove(node);
        site.hear(node);
        done.merge(Kind.ENDED_ITSELF, 1, Integer::sum);
      }
    }
    int from = Math.max(0, site.acknowledgedOrders() - OVERLAP);
    List<ChildProcess> fresh = new ArrayList<>();
    while (nodes.size() < NODES) {
      bytes.disarm();
      messages.disarm();
      ChildProcess node = site.start(Workload.MIXED, from, OrderArguments.ENDLESS);
      fresh.add(node);
      nodes.add(node);
    }
    for (ChildProcess node : fresh) {
      node.awaitLine(
          line -> line.startsWith(OrderProcess.ACCEPTED) || line.startsWith(OrderProcess.BROKEN),
          LONGEST);
    }
  }

  /** The rest are killed too, and one that comes after them finishes what they left. */
  private void end(Site site) throws Exception {
    for (ChildProcess node : nodes) {
      node.kill();
      site.hear(node);
    }
    nodes.clear();
    site.settle(Workload.MIXED, site.acknowledgedOrders() + OVERLAP);
  }

  private void judge(Site site, long seed, Programme programme, int errors) throws Exception {
    Witnesses witnesses = site.witnesses();
    List<String> problems = Oracle.problems(witnesses);
    String summary =
        "faults of the server %s, %d errors given, in %s, seed %d: %s, %d problems"
            .formatted(done, errors, programme.taken(), seed, witnesses.tally(), problems.size());
    System.out.println(summary);
    Results.append(summary);
    assertThat(problems).as("seed %d", seed).isEmpty();
    assertThat(errors).as(summary).isPositive();
    assertThat(witnesses.tally().runs()).as(summary).isGreaterThan(20);
    assertThat(witnesses.tally().succeeded())
        .as(summary)
        .isGreaterThan(witnesses.tally().runs() * 7 / 10);
  }

  private static String through(String url, PostgresServer server, PostgresProxy proxy) {
    String there = url.replace(":" + server.port() + "/", ":" + proxy.port() + "/");
    return there + (there.contains("?") ? "&" : "?") + "sslmode=disable&gssEncMode=disable";
  }

  private static String name(String url) {
    return url.replaceFirst("\\?.*", "").replaceFirst(".*/", "");
  }

  private static void sql(String url, String text) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }
}
