package dev.hapax.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.Order.Workload;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.PatroniCluster;
import dev.hapax.testkit.fault.Programme;
import dev.hapax.testkit.fault.Results;
import dev.hapax.testkit.fault.SinkFaults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes at work on a Patroni cluster while its leader changes, in good order and by
 * SIGKILL. Only with {@code -Plong}, or if {@code -Dhapax.patroni} says how often: each time a
 * switchover and a killed leader.
 */
@Tag("crash")
class PatroniTest {
  private static final int NODES = 3;
  private static final int OVERLAP = 10;
  private static final Duration LONGEST = Duration.ofMinutes(2);

  @TempDir Path directory;

  private final List<ChildProcess> nodes = new ArrayList<>();
  private int replaced;

  @Test
  void a_leader_that_is_replaced_or_killed_takes_nothing_with_it() throws Exception {
    var programme = Programme.of("hapax.patroni", 0, 5);
    Assumptions.assumeTrue(programme.goesOn(0), "runs with -Plong or -Dhapax.patroni=1");
    String obstacle = PatroniCluster.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    var faults =
        new SinkFaults(System.nanoTime(), 0.03, 0.02, 0.03, 0.03, SinkFaults.First.BY_CHANCE);
    int times = 0;
    try (PatroniCluster cluster = PatroniCluster.start();
        Site site = Site.shared(directory, cluster.url(), faults)) {
      for (; programme.goesOn(times); times++) {
        work(site);
        cluster.switchOver();
        work(site);
        cluster.killLeader();
      }
      cluster.awaitWhole();
      for (ChildProcess node : nodes) {
        node.kill();
        site.hear(node);
      }
      site.settle(Workload.MIXED, site.acknowledgedOrders() + OVERLAP);
      judge(site.witnesses(), times, programme);
    } finally {
      nodes.forEach(ChildProcess::close);
    }
  }

  /** All nodes work on the current leader; a node that lost its lease meanwhile is replaced. */
  private void work(Site site) throws Exception {
    for (ChildProcess node : List.copyOf(nodes)) {
      if (node.firstLine(line -> line.startsWith(OrderProcess.BROKEN)).isPresent()) {
        node.awaitExit(LONGEST);
        site.hear(node);
        nodes.remove(node);
        replaced++;
      } else {
        awaitMore(node);
      }
    }
    int from = Math.max(0, site.acknowledgedOrders() - OVERLAP);
    while (nodes.size() < NODES) {
      ChildProcess node = site.start(Workload.MIXED, from, OrderArguments.ENDLESS);
      nodes.add(node);
      awaitMore(node);
    }
  }

  /** It has something accepted from now on, or has ended because it lost its lease. */
  private static void awaitMore(ChildProcess node) throws InterruptedException {
    int before = node.lines().size();
    node.awaitLine(
        line ->
            (node.lines().size() > before && line.startsWith(OrderProcess.ACCEPTED))
                || line.startsWith(OrderProcess.BROKEN),
        LONGEST);
  }

  private void judge(Witnesses witnesses, int times, Programme programme) throws Exception {
    List<String> problems = Oracle.problems(witnesses);
    String summary =
        "Patroni: %d switchovers, %d leaders killed, %d nodes replaced in %s: %s, %d problems"
            .formatted(
                times, times, replaced, programme.taken(), witnesses.tally(), problems.size());
    System.out.println(summary);
    Results.append(summary);
    assertThat(problems).isEmpty();
    assertThat(witnesses.tally().runs()).as(summary).isGreaterThan(20);
  }
}
