package dev.hapax.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.Order.Workload;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.testkit.fault.Programme;
import dev.hapax.testkit.fault.ReplicatedServer;
import dev.hapax.testkit.fault.Results;
import dev.hapax.testkit.fault.SinkFaults;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes share a database while they are killed and frozen past their leases, and the
 * server is stopped at once and started again. {@code -Dhapax.seed} repeats a seed; {@code
 * -Dhapax.node.freezes} says how often one is frozen, others killed each time ({@code
 * -Dhapax.node.kills}, one, in a long run three), and the server restarted every second time. With
 * {@code -Dhapax.node.promotions}, in a long run 20, it has a standby that takes its place so
 * often.
 */
@Tag("crash")
class NodesUnderFireTest {
  private static final int NODES = 3;
  private static final int OVERLAP = 10;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** Of a lease, and of the node that takes over: it must have held its own for as long. */
  private static final Duration PAST_THE_LEASE = OrderProcess.LEASE.multipliedBy(4);

  @TempDir Path directory;

  private final List<Node> nodes = new ArrayList<>();
  private int kills;
  private int freezes;
  private int zombies;
  private int lost;
  private int restarts;
  private int promotions;

  /**
   * A process at work.
   *
   * @param mark what all numbers that it makes have in common
   */
  private record Node(ChildProcess process, long mark) {}

  @Test
  void killed_frozen_and_cut_off_nodes_lose_nothing_and_repeat_nothing() throws Exception {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    System.out.println("seed " + seed);
    var random = new SplittableRandom(seed);
    var programme = Programme.of("hapax.node.freezes", 10, 100);
    var faults = new SinkFaults(seed, 0.03, 0.02, 0.03, 0.03, SinkFaults.First.BY_CHANCE);
    try (Database server = promotionsWanted() > 0 ? new Pair() : new Single()) {
      String url = server.newDatabase();
      try (Site site = Site.shared(directory, url, faults)) {
        while (programme.goesOn(freezes)) {
          fill(site);
          freezeOneAndKillAnother(site, url, random);
          if (freezes >= 2 * (restarts + 1)) {
            server.restart();
            restarts++;
          }
          if (promotions < promotionsWanted() && freezes >= 5 * (promotions + 1)) {
            server.failOver();
            promotions++;
          }
        }
        end(site);
        judge(site, seed, programme);
      } finally {
        nodes.forEach(node -> node.process().close());
      }
    }
  }

  /**
   * Until there are enough at work. One that was kept from its lease for too long by a busy machine
   * has ended, as it should, and is replaced, as an operator would do.
   */
  private void fill(Site site) throws Exception {
    List.copyOf(nodes).forEach(node -> forgetIfBroken(site, node));
    int from = Math.max(0, site.acknowledgedOrders() - OVERLAP);
    List<ChildProcess> fresh = new ArrayList<>();
    while (nodes.size() + fresh.size() < NODES) {
      fresh.add(site.start(Workload.MIXED, from, OrderArguments.ENDLESS));
    }
    for (ChildProcess process : fresh) {
      String line = process.awaitLine(one -> one.startsWith(OrderProcess.MARK), LONGEST);
      nodes.add(new Node(process, Long.parseLong(line.substring(OrderProcess.MARK.length()))));
      process.awaitLine(one -> one.startsWith(OrderProcess.ACCEPTED) || isBroken(one), LONGEST);
    }
  }

  private boolean forgetIfBroken(Site site, Node node) {
    boolean isBroken = node.process().firstLine(NodesUnderFireTest::isBroken).isPresent();
    if (isBroken) {
      nodes.remove(node);
      lost++;
      endBroken(site, node);
    }
    return isBroken;
  }

  private static void endBroken(Site site, Node node) {
    try {
      assertThat(node.process().awaitExit(LONGEST))
          .as("%s", node.process())
          .isEqualTo(OrderProcess.EXIT_BROKEN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    site.hear(node.process());
  }

  private static boolean isBroken(String line) {
    return line.startsWith(OrderProcess.BROKEN);
  }

  private void freezeOneAndKillAnother(Site site, String url, SplittableRandom random)
      throws Exception {
    Node frozen = nodes.get(random.nextInt(nodes.size()));
    if (forgetIfBroken(site, frozen) || !frozen.process().freeze()) {
      return;
    }
    nodes.remove(frozen);
    freezes++;
    pause(Duration.ofMillis(random.nextInt(50, 500)));
    for (int i = 0; i < killsEach(); i++) {
      if (i > 0) {
        fill(site);
      }
      Node killed = nodes.remove(random.nextInt(nodes.size()));
      killed.process().kill();
      kills++;
      site.hear(killed.process());
    }
    boolean isZombie = awaitTakeOver(url, frozen);
    long before = rowsOf(url, frozen);

    frozen.process().thaw();

    if (isZombie) {
      zombies++;
      endBroken(site, frozen);
      assertThat(rowsOf(url, frozen)).as("rows that a zombie wrote").isEqualTo(before);
    } else {
      nodes.add(frozen);
    }
  }

  /** Whether the lease of the frozen node has been ended by another one. */
  private static boolean awaitTakeOver(String url, Node frozen) throws SQLException {
    long end = System.nanoTime() + PAST_THE_LEASE.toNanos();
    while (System.nanoTime() < end) {
      if (number(url, "SELECT count(*) FROM hapax.lease WHERE mark = " + frozen.mark()) == 0) {
        return true;
      }
      pause(Duration.ofMillis(50));
    }
    return false;
  }

  /** Every row of a journal has a number from the node that wrote it. */
  private static long rowsOf(String url, Node node) throws SQLException {
    return number(url, "SELECT count(*) FROM hapax.journal WHERE op & 255 = " + node.mark());
  }

  private static long number(String url, String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static int promotionsWanted() {
    return Integer.getInteger("hapax.node.promotions", Boolean.getBoolean("hapax.long") ? 20 : 0);
  }

  private static int killsEach() {
    return Integer.getInteger("hapax.node.kills", Boolean.getBoolean("hapax.long") ? 3 : 1);
  }

  /** What all nodes share. */
  private interface Database extends AutoCloseable {
    String newDatabase();

    void restart();

    void failOver() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** A server alone. */
  private static final class Single implements Database {
    private final PostgresServer server = PostgresServer.start(PostgresServer.Durability.FULL);

    @Override
    public String newDatabase() {
      return server.newDatabase();
    }

    @Override
    public void restart() {
      server.crash();
      server.restart();
    }

    @Override
    public void failOver() {
      throw new IllegalStateException("it has no standby");
    }

    @Override
    public void close() {
      server.close();
    }
  }

  /** A server with a standby. */
  private static final class Pair implements Database {
    private final ReplicatedServer servers = ReplicatedServer.start();

    Pair() throws IOException {}

    @Override
    public String newDatabase() {
      return servers.newDatabase();
    }

    @Override
    public void restart() {
      servers.restart();
    }

    @Override
    public void failOver() throws IOException {
      servers.failOver();
    }

    @Override
    public void close() throws IOException {
      servers.close();
    }
  }

  private static void pause(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }

  /** The rest are killed too, and one that comes after them finishes what they left. */
  private void end(Site site) throws Exception {
    for (Node node : nodes) {
      node.process().kill();
      site.hear(node.process());
    }
    nodes.clear();
    site.settle(Workload.MIXED, site.acknowledgedOrders() + OVERLAP);
  }

  private void judge(Site site, long seed, Programme programme) throws Exception {
    Witnesses witnesses = site.witnesses();
    List<String> problems = Oracle.problems(witnesses);
    List<String> lateLookups = problems.stream().filter(NodesUnderFireTest::isTheLimit).toList();
    String summary =
        "%d kills, %d freezes (%d zombies), %d leases lost otherwise, %d server restarts, %d promotions in %s, seed %d: %s, %d problems, %d lookups sent late by a frozen process"
            .formatted(
                kills,
                freezes,
                zombies,
                lost,
                restarts,
                promotions,
                programme.taken(),
                seed,
                witnesses.tally(),
                problems.size() - lateLookups.size(),
                lateLookups.size());
    System.out.println(summary);
    Results.append(summary);
    assertThat(problems).as("seed %d", seed).hasSameSizeAs(lateLookups);
    assertThat(lateLookups.size()).isLessThanOrEqualTo(1 + freezes / 20);
    assertThat(zombies).as(summary).isGreaterThanOrEqualTo(freezes / 2);
    assertThat(witnesses.tally().runs()).as(summary).isGreaterThan(100);
    assertThat(witnesses.tally().succeeded())
        .as(summary)
        .isGreaterThan(witnesses.tally().runs() * 7 / 10);
  }

  /**
   * A process that is frozen between its last look at its lease and its first byte sends when it is
   * thawed, no matter what has happened meanwhile. Behind a lookup nothing removes that duplicate.
   * The test counts it, and the docs describe it.
   */
  private static boolean isTheLimit(String problem) {
    return problem.startsWith("O6: an effect did not happen as often")
        && problem.contains("order/lookup");
  }
}
