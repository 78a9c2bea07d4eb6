package dev.hapax.bench;

import dev.hapax.testkit.fault.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Hapax beside DBOS Transact: the same work on the same PostgreSQL server, one after the other.
 * Prints the table and writes bench/compare.json; the reference of a figure is DBOS's.
 */
public final class Compare {
  private static final int[] CALLERS = {1, 32, 256};
  private static final int DUPLICATE_KEYS = 5_000;
  private static final int DUPLICATE_CALLERS = 32;
  private static final Map<String, String> SETTINGS =
      Map.of("shared_preload_libraries", "'pg_stat_statements'");

  private final PostgresServer server;
  private final Pace pace;
  private final Report report = new Report();

  /** How long is measured. */
  private enum Pace {
    USUAL(4, 10),
    QUICK(2, 4);

    private final Duration warmUp;
    private final Duration time;

    Pace(int warmUpSeconds, int seconds) {
      this.warmUp = Duration.ofSeconds(warmUpSeconds);
      this.time = Duration.ofSeconds(seconds);
    }

    Callers callers(int count) {
      return new Callers(count, warmUp, time);
    }
  }

  /** What somebody did, and what the server had to do for it. */
  private record Measured(Callers.Outcome outcome, ServerWork work) {
    double perSecond() {
      return outcome.perSecond();
    }

    double perRun(long count) {
      return count / (double) outcome.all();
    }
  }

  private Compare(PostgresServer server, Pace pace) {
    this.server = server;
    this.pace = pace;
  }

  public static void main(String[] args) throws Exception {
    boolean isQuick = List.of(args).equals(List.of("quick"));
    if (args.length > 0 && !isQuick) {
      System.out.print(
          """
          usage: bench/compare [quick]

          Runs the same workflow of three steps with Hapax and with DBOS Transact for Java on one PostgreSQL server of
          its own (fsync and synchronous_commit on), prints a table and writes bench/compare.json: an object from
          figure to {value, unit, reference, ratio}, where the reference is DBOS's figure. Takes about four minutes;
          quick measures for a shorter time, about two.
          """);
      System.exit(List.of(args).contains("--help") ? 0 : 2);
    }
    try (var server = PostgresServer.start(PostgresServer.Durability.FULL, SETTINGS)) {
      var compare = new Compare(server, isQuick ? Pace.QUICK : Pace.USUAL);
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
      Measured peer = threeSteps(callers, DbosContender::new);
      Measured ours = threeSteps(callers, HapaxContender::new);
      String name = "three-steps.postgres.%d.".formatted(callers);
      beside(name + "runs-per-s", "runs/s", ours, peer, Measured::perSecond);
      beside(name + "p50-ms", "ms", ours, peer, one -> one.outcome().percentileMillis(50));
      beside(name + "p99-ms", "ms", ours, peer, one -> one.outcome().percentileMillis(99));
      work(name, "run", ours, peer);
      double pace = ours.perSecond() / peer.perSecond();
      double half = ours.outcome().percentileMillis(50) / peer.outcome().percentileMillis(50);
      Figure paces = Figure.of(name + "ratio-to-dbos", pace, "x");
      Figure halves = Figure.of(name + "p50-ratio-to-dbos", half, "x");
      report.add(callers == 1 ? paces : paces.aims(Goal.atLeast(2.5, 5)));
      report.add(callers == 1 ? halves.aims(Goal.atMost(0.8, 0.5)) : halves);
    }
  }

  private Measured threeSteps(int callers, Function<String, Contender> open) throws Exception {
    return measure(callers, open, contender -> () -> contender.run(OrderFlow.randomOrder().id()));
  }

  private void duplicateStarts() throws Exception {
    Measured peer = duplicateStarts(DbosContender::new);
    Measured ours = duplicateStarts(HapaxContender::new);
    String name = "duplicate-starts.postgres.%d.".formatted(DUPLICATE_CALLERS);
    beside(name + "per-s", "starts/s", ours, peer, Measured::perSecond);
    work(name, "start", ours, peer);
    report.add(
        Figure.of(name + "ratio-to-dbos", ours.perSecond() / peer.perSecond(), "x")
            .aims(Goal.atLeast(4, 10)));
  }

  private Measured duplicateStarts(Function<String, Contender> open) throws Exception {
    List<String> keys =
        Stream.generate(() -> OrderFlow.randomOrder().id()).limit(DUPLICATE_KEYS).toList();
    return measure(
        DUPLICATE_CALLERS,
        open,
        contender -> {
          keys.parallelStream().forEach(key -> once(contender, key));
          return () ->
              contender.startAgain(keys.get(ThreadLocalRandom.current().nextInt(keys.size())));
        });
  }

  /**
   * On a database of its own.
   *
   * @param load what each caller does over and over, made before anything is counted
   */
  private Measured measure(
      int callers, Function<String, Contender> open, Function<Contender, Callers.Call> load)
      throws Exception {
    String url = server.newDatabase();
    ServerWork.prepare(url);
    try (Contender contender = open.apply(url)) {
      Callers.Call call = load.apply(contender);
      ServerWork before = ServerWork.of(url);
      Callers.Outcome outcome = pace.callers(callers).call(call);
      return new Measured(outcome, ServerWork.of(url).since(before));
    }
  }

  /** What the server counted, per thing that was done. */
  private void work(String name, String per, Measured ours, Measured peer) {
    beside(
        "%stransactions-per-%s".formatted(name, per),
        "transactions",
        ours,
        peer,
        one -> one.perRun(one.work().transactions()));
    beside(
        "%sstatements-per-%s".formatted(name, per),
        "statements",
        ours,
        peer,
        one -> one.perRun(one.work().statements()));
    beside(
        "%srows-per-%s".formatted(name, per),
        "rows written",
        ours,
        peer,
        one -> one.perRun(one.work().rows()));
    beside(
        "%swal-bytes-per-%s".formatted(name, per),
        "bytes",
        ours,
        peer,
        one -> one.perRun(one.work().walBytes()));
  }

  private void beside(
      String name, String unit, Measured ours, Measured peer, ToDoubleFunction<Measured> value) {
    double theirs = value.applyAsDouble(peer);
    report.add(Figure.of(name, value.applyAsDouble(ours), unit).against(_ -> theirs));
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
