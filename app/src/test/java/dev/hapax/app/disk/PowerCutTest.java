package dev.hapax.app.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.Oracle;
import dev.hapax.app.crash.Order.Workload;
import dev.hapax.app.crash.OrderArguments;
import dev.hapax.app.crash.Witnesses;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.Programme;
import dev.hapax.testkit.fault.Results;
import dev.hapax.testkit.fault.SinkFaults;
import dev.hapax.testkit.fault.Strace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The disk loses its power under a working process, again and again on the same store: what was not
 * synced is gone. {@code -Dhapax.cuts} says how often; a seed is repeated with {@code
 * -Dhapax.seed}.
 */
@Tag("disk")
@ResourceLock("kills") // beside kills it is so slow that runs get nowhere between two cuts
class PowerCutTest {
  private static final int MEGABYTES = 256;

  @TempDir Path directory;

  @BeforeEach
  void needs_a_disk_of_its_own() throws Exception {
    Machine.hasLoopDisks(directory);
  }

  @Test
  void power_cuts_lose_nothing_and_repeat_nothing() throws Exception {
    var programme = Programme.of("hapax.cuts", 10, 100);
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    var faults = new SinkFaults(seed, 0.08, 0.04, 0.05, 0.05, SinkFaults.First.BY_CHANCE);
    System.out.println("seed " + seed);
    try (DiskSite on = DiskSite.open(directory, MEGABYTES, faults)) {
      int cuts = 0;
      for (; programme.goesOn(cuts); cuts++) {
        cutOnce(on, random);
        assertThat(StoreCopy.integrity(on.site().store(), directory)).isEqualTo("ok");
      }

      Witnesses witnesses = on.settleWithoutProblems();

      Witnesses.Tally tally = witnesses.tally();
      System.out.printf("seed %d, %d power cuts: %s%n", seed, cuts, tally);
      Results.append(
          "%d power cuts in %s, seed %d: %s, 0 problems"
              .formatted(cuts, programme.taken(), seed, tally));
      assertThat(tally.runs()).as("%s", tally).isGreaterThan(cuts);
      assertThat(tally.succeeded()).as("%s", tally).isGreaterThanOrEqualTo(tally.runs() * 8 / 10);
    }
  }

  /** Half right after an acknowledgement, some while the store is opened, the others at work. */
  private static void cutOnce(DiskSite on, SplittableRandom random) throws Exception {
    try (ChildProcess child =
        on.site().start(Workload.MIXED, on.firstOrder(), OrderArguments.ENDLESS)) {
      int when = random.nextInt(8);
      if (when > 0) {
        child.awaitLine(DiskSite.acknowledgement(random.nextInt(1, 60)), DiskSite.LONGEST);
      }
      if (when < 4) {
        int latest = when == 0 ? 400 : 50;
        boolean endedBefore = child.hasEndedWithin(Duration.ofMillis(random.nextInt(latest)));
        assertThat(endedBefore).as("it ended by itself: %s", child).isFalse();
      }
      on.cutPower(child);
    }
  }

  /** The proof that the test above can fail: the same programme, and syncs that do nothing. */
  @Test
  void a_disk_that_only_says_that_it_synced_loses_runs_and_the_oracle_notices() throws Exception {
    Machine.hasStrace();
    try (DiskSite on = DiskSite.open(directory, MEGABYTES, SinkFaults.none())) {
      on.site().settle(Workload.MIXED, DiskSite.OVERLAP);
      Strace lie = Strace.lying(on.trace(), on.written());
      try (ChildProcess child = on.startUnder(lie, OrderArguments.ENDLESS)) {
        child.awaitLine(DiskSite.acknowledgement(3 * DiskSite.OVERLAP), DiskSite.LONGEST);
        on.cutPower(child);
      }
      assertThat(lie.injected()).isPositive();

      Witnesses witnesses = on.settle();

      assertThat(Oracle.problems(witnesses)).anyMatch(problem -> problem.startsWith("O1"));
      assertThat(witnesses.madeAgain()).isNotEmpty();
    }
  }
}
