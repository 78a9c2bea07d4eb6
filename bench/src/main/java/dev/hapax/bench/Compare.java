package dev.hapax.bench;

import dev.hapax.testkit.fault.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Hapax beside DBOS Transact: the same work on the same PostgreSQL server, one after the other.
 * Prints the table and writes bench/compare.json.
 */
public final class Compare {
  private static final int[] CALLERS = {1, 32, 256};
  private static final int DUPLICATE_KEYS = 5_000;
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration TIME = Duration.ofSeconds(10);
  private static final Map<String, String> SETTINGS =
      Map.of("shared_preload_libraries", "'pg_stat_statements'");

  private final PostgresServer server;
  private final Report report = new Report();

  private Compare(PostgresServer server) {
    this.server = server;
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.out.print(
          """
          usage: bench/compare

          Runs the same workflow of three steps with Hapax and with DBOS Transact for Java on one PostgreSQL server of
          its own (fsync and synchronous_commit on), prints a table and writes bench/compare.json: an object from
          figure to {value, unit, reference, ratio}. Takes about four minutes.
          """);
      System.exit(Arrays.asList(args).contains("--help") ? 0 : 2);
    }
    try (var server = PostgresServer.start(PostgresServer.Durability.FULL, SETTINGS)) {
      var compare = new Compare(server);
      compare.bareLimits();
      compare.threeSteps();
      compare.duplicateStarts();
      compare.report.print(System.out, 0);
      compare.report.writeJson(Workspace.module().resolve("compare.json"), 0);
    }
    System.exit(0); // a peer may have left threads
  }

  /** Transactions of one row, from clients with a connection each. */
  private void bareLimits() throws Exception {
    String url = server.newDatabase();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE line (number bigserial PRIMARY KEY, text text NOT NULL)");
    }
    for (int callers : new int[] {1, 32}) {
      Callers.Outcome outcome =
          new Callers(callers, Duration.ofSeconds(1), Duration.ofSeconds(4))
              .call(ThreadConnection.inserting(url));
      report.add(
          Figure.of(
              "bare.postgres.%d.commits-per-s".formatted(callers),
              outcome.perSecond(),
              "commits/s"));
    }
  }

  private void threeSteps() throws Exception {
    for (int callers : CALLERS) {
      Callers.Outcome peer = measure("dbos", callers, DbosContender::new);
      Callers.Outcome ours = measure("postgres", callers, HapaxContender::new);
      String name = "three-steps.postgres.%d.".formatted(callers);
      Figure pace = Figure.of(name + "ratio-to-dbos", ours.perSecond() / peer.perSecond(), "x");
      Figure half =
          Figure.of(
              name + "p50-ratio-to-dbos",
              ours.percentileMillis(50) / peer.percentileMillis(50),
              "x");
      report.add(callers == 1 ? pace : pace.aims(Goal.atLeast(2.5, 5)));
      report.add(callers == 1 ? half.aims(Goal.atMost(0.8, 0.5)) : half);
    }
  }

  private Callers.Outcome measure(String who, int callers, Function<String, Contender> open)
      throws Exception {
    String url = server.newDatabase();
    ServerWork.prepare(url);
    String name = "three-steps.%s.%d.".formatted(who, callers);
    Callers.Outcome outcome;
    ServerWork work;
    try (Contender contender = open.apply(url)) {
      ServerWork before = ServerWork.of(url);
      outcome =
          new Callers(callers, WARM_UP, TIME)
              .call(() -> contender.run(OrderFlow.randomOrder().id()));
      work = ServerWork.of(url).since(before);
    }
    double runs = outcome.all();
    report.add(Figure.of(name + "runs-per-s", outcome.perSecond(), "runs/s"));
    report.add(Figure.of(name + "p50-ms", outcome.percentileMillis(50), "ms"));
    report.add(Figure.of(name + "p99-ms", outcome.percentileMillis(99), "ms"));
    report.add(
        Figure.of(name + "transactions-per-run", work.transactions() / runs, "transactions/run"));
    report.add(Figure.of(name + "statements-per-run", work.statements() / runs, "statements/run"));
    report.add(Figure.of(name + "rows-per-run", work.rows() / runs, "rows written/run"));
    report.add(Figure.of(name + "wal-bytes-per-run", work.walBytes() / runs, "bytes/run"));
    return outcome;
  }

  private void duplicateStarts() throws Exception {
    double peer = duplicateStarts("dbos", DbosContender::new);
    double ours = duplicateStarts("postgres", HapaxContender::new);
    report.add(
        Figure.of("duplicate-starts.postgres.ratio-to-dbos", ours / peer, "x")
            .aims(Goal.atLeast(4, 10)));
  }

  private double duplicateStarts(String who, Function<String, Contender> open) throws Exception {
    List<String> keys =
        Stream.generate(() -> OrderFlow.randomOrder().id()).limit(DUPLICATE_KEYS).toList();
    try (Contender contender = open.apply(server.newDatabase())) {
      keys.parallelStream().forEach(key -> once(contender, key));
      double perSecond =
          new Callers(32, WARM_UP, TIME)
              .call(
                  () ->
                      contender.startAgain(
                          keys.get(ThreadLocalRandom.current().nextInt(keys.size()))))
              .perSecond();
      report.add(Figure.of("duplicate-starts." + who + ".per-s", perSecond, "starts/s"));
      return perSecond;
    }
  }

  private static void once(Contender contender, String key) {
    try {
      contender.run(key);
    } catch (Exception e) {
      throw new IllegalStateException("order " + key + " did not run", e);
    }
  }

  /** A connection per calling thread, for bare limits. */
  private static final class ThreadConnection {
    private final String url;
    private final ThreadLocal<PreparedStatement> statement = ThreadLocal.withInitial(this::connect);

    private ThreadConnection(String url) {
      this.url = url;
    }

    static Callers.Call inserting(String url) {
      var connections = new ThreadConnection(url);
      return () -> connections.statement.get().executeUpdate();
    }

    private PreparedStatement connect() {
      try {
        return DriverManager.getConnection(url)
            .prepareStatement("INSERT INTO line (text) VALUES ('{\"status\":\"succeeded\"}')");
      } catch (SQLException e) {
        throw new IllegalStateException("no connection", e);
      }
    }
  }
}
