package dev.hapax.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.Order.Workload;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.Programme;
import dev.hapax.testkit.fault.Results;
import dev.hapax.testkit.fault.SinkFaults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Processes that are killed with SIGKILL at random instants, one after another on the same store,
 * while the destination loses answers. {@code -Dhapax.kills} says how often; a seed is repeated
 * with {@code -Dhapax.seed}.
 */
@Tag("crash")
@ResourceLock("kills") // beside each other they are so slow that runs get nowhere between two kills
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class RandomKillTest {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /**
   * More than a process starts at once, so that orders that were under way at a kill are started
   * again.
   */
  private static final int OVERLAP = 10;

  @TempDir Path directory;

  @Test
  void a_hundred_kills_lose_nothing_and_repeat_nothing() throws Exception {
    long seed = seed();
    var faults = new SinkFaults(seed, 0.08, 0.04, 0.05, 0.05, SinkFaults.First.BY_CHANCE);

    Witnesses.Tally tally = killAgainAndAgain(Programme.of("hapax.kills", 100, 1000), seed, faults);

    assertThat(tally.runs()).as("%s", tally).isGreaterThan(100);
    assertThat(tally.succeeded()).as("%s", tally).isGreaterThanOrEqualTo(tally.runs() * 8 / 10);
    assertThat(tally.lostAnswers()).as("%s", tally).isGreaterThan(tally.runs() / 20);
  }

  @Test
  void a_destination_that_loses_most_answers_gets_no_duplicates_either() throws Exception {
    long seed = seed();
    var faults = new SinkFaults(seed, 0.50, 0.10, 0.10, 0.10, SinkFaults.First.BY_CHANCE);

    Witnesses.Tally tally =
        killAgainAndAgain(Programme.of("hapax.kills.lossy", 10, 10), seed, faults);

    assertThat(tally.succeeded()).as("%s", tally).isGreaterThanOrEqualTo(tally.runs() * 7 / 10);
    assertThat(tally.doubts()).as("%s", tally).isGreaterThan(tally.runs());
  }

  private Witnesses.Tally killAgainAndAgain(Programme programme, long seed, SinkFaults faults)
      throws Exception {
    var random = new SplittableRandom(seed);
    try (Site site = Site.open(directory, faults)) {
      int kills = 0;
      while (programme.goesOn(kills)) {
        killOne(site, random);
        kills++;
      }
      int orders = site.acknowledgedOrders() + OVERLAP;
      site.settle(Workload.MIXED, orders);

      Witnesses witnesses = site.witnesses();
      List<String> problems = Oracle.problems(witnesses);
      System.out.printf("seed %d, %d kills: %s%n", seed, kills, witnesses.tally());
      Results.append(
          "%d kills in %s, seed %d: %s, %d problems"
              .formatted(kills, programme.taken(), seed, witnesses.tally(), problems.size()));
      assertThat(problems).as("seed %d", seed).isEmpty();
      assertThat(witnesses.runs()).as("seed %d", seed).hasSize(orders);
      return witnesses.tally();
    }
  }

  /**
   * Most die at work; some earlier, so that recovery itself is killed too. Those at work live up to
   * a second: a run whose answers are lost waits that long before it tries again, and a run that
   * gets nowhere in several lives is quarantined.
   */
  private static void killOne(Site site, SplittableRandom random) throws Exception {
    int from = Math.max(0, site.acknowledgedOrders() - OVERLAP);
    boolean early = random.nextInt(5) == 0;
    Duration delay =
        Duration.ofMillis(early ? random.nextInt(100, 400) : random.nextInt(50, 1_000));
    try (ChildProcess child = site.start(Workload.MIXED, from, OrderArguments.ENDLESS)) {
      if (!early) {
        child.awaitLine(line -> line.startsWith(OrderProcess.ACCEPTED), LONGEST);
      }
      boolean endedBefore = child.hasEndedWithin(delay);
      assertThat(endedBefore).as("it ended by itself: %s", child).isFalse();
      assertThat(child.kill()).isEqualTo(ChildProcess.KILLED);
      site.hear(child);
    }
  }

  private static long seed() {
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    System.out.println("seed " + seed);
    return seed;
  }
}
