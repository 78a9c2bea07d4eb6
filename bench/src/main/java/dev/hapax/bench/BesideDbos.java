package dev.hapax.bench;

import dev.hapax.testkit.fault.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Hapax and DBOS Transact in turns on one PostgreSQL server, each in its own database. */
record BesideDbos(PostgresServer server, Rotation turns, Report report) {
  private static final int[] CALLERS = {1, 32, 256};
  private static final int DUPLICATE_KEYS = 5_000;
  private static final int DUPLICATE_CALLERS = 32;

  /** The calls of a contender, and the server's work for them. */
  private record Measured(Callers.Outcome outcome, ServerWork work, long walBytes) {
    double perSecond() {
      return outcome.perSecond();
    }

    double perRun(long count) {
      return count / (double) outcome.all();
    }
  }

  /** A repeated action on an engine. */
  @FunctionalInterface
  private interface Deed {
    void with(Contender contender) throws Exception;
  }

  private record OnServer(Contender contender, String url, Deed deed)
      implements Rotation.Contestant {
    @Override
    public void call() throws Exception {
      deed.with(contender);
    }

    @Override
    public long meter() throws SQLException {
      return ServerWork.walBytes(url);
    }
  }

  void measure() throws Exception {
    bareLimits();
    String theirs = newDatabase();
    String ours = newDatabase();
    try (Contender dbos = new DbosContender(theirs, OrderStep.AT_ONCE);
        Contender hapax = new HapaxContender(ours, OrderFlow.flow())) {
      for (int callers : CALLERS) {
        Deed order = contender -> contender.run(OrderFlow.randomOrder().id());
        threeSteps(callers, new OnServer(dbos, theirs, order), new OnServer(hapax, ours, order));
      }
      List<String> keys =
          Stream.generate(() -> OrderFlow.randomOrder().id()).limit(DUPLICATE_KEYS).toList();
      keys.parallelStream().forEach(key -> once(dbos, key));
      keys.parallelStream().forEach(key -> once(hapax, key));
      Deed again =
          contender ->
              contender.startAgain(keys.get(ThreadLocalRandom.current().nextInt(keys.size())));
      duplicateStarts(new OnServer(dbos, theirs, again), new OnServer(hapax, ours, again));
    }
  }

  private String newDatabase() throws SQLException {
    String url = server.newDatabase();
    ServerWork.prepare(url);
    return url;
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

  private void threeSteps(int callers, OnServer dbos, OnServer hapax) throws Exception {
    List<Measured> both = measure(callers, dbos, hapax);
    Measured peer = both.getFirst();
    Measured ours = both.getLast();
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

  private void duplicateStarts(OnServer dbos, OnServer hapax) throws Exception {
    List<Measured> both = measure(DUPLICATE_CALLERS, dbos, hapax);
    Measured peer = both.getFirst();
    Measured ours = both.getLast();
    String name = "duplicate-starts.postgres.%d.".formatted(DUPLICATE_CALLERS);
    beside(name + "per-s", "starts/s", ours, peer, Measured::perSecond);
    work(name, "start", ours, peer);
    report.add(
        Figure.of(name + "ratio-to-dbos", ours.perSecond() / peer.perSecond(), "x")
            .aims(Goal.atLeast(4, 10)));
  }

  private List<Measured> measure(int callers, OnServer dbos, OnServer hapax) throws Exception {
    List<OnServer> both = List.of(dbos, hapax);
    turns.warmUp(callers, both);
    ServerWork peerBefore = ServerWork.of(dbos.url());
    ServerWork ourBefore = ServerWork.of(hapax.url());
    List<Rotation.Done> done = turns.measure(callers, both);
    return List.of(
        measured(done.getFirst(), ServerWork.of(dbos.url()).since(peerBefore)),
        measured(done.getLast(), ServerWork.of(hapax.url()).since(ourBefore)));
  }

  private static Measured measured(Rotation.Done done, ServerWork work) {
    return new Measured(done.outcome(), work, done.metered());
  }

  /** Reports the server's counts, per action. */
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
        one -> one.perRun(one.walBytes()));
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
