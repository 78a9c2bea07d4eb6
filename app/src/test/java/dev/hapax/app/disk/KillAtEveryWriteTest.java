package dev.hapax.app.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.Oracle;
import dev.hapax.app.crash.Order.Workload;
import dev.hapax.app.crash.OrderArguments;
import dev.hapax.app.crash.Site;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.SinkFaults;
import dev.hapax.testkit.fault.Strace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A process is killed before its first, second, third … write or sync, until one comes to its end.
 * With {@code -Plong} every point, otherwise every so many from a random one on; {@code
 * -Dhapax.seed} repeats them.
 */
@Tag("disk")
@Execution(ExecutionMode.CONCURRENT)
class KillAtEveryWriteTest {
  /** Orders this far apart do the same, so that every run has the same writes. */
  private static final int SAME_EFFECTS_AGAIN = 20;

  @TempDir Path directory;

  @BeforeEach
  void needs_a_tracer() throws Exception {
    Machine.hasStrace();
  }

  /** One process, killed at its nth write or sync, and one after it that must cope with that. */
  private interface Point {
    /** Returns false if the process ended before the nth. */
    boolean isReached(Site site, int nth) throws Exception;
  }

  @Test
  void a_store_that_is_being_made_can_be_made_by_the_next_process() throws Exception {
    sweep("making a store", 12, this::makeStore);
  }

  @Test
  void a_run_goes_on_whichever_of_its_writes_was_the_last() throws Exception {
    sweep("a run", 16, this::carryOutARun);
  }

  @Test
  void a_store_whose_wal_is_being_written_back_is_recovered_again() throws Exception {
    sweep("recovering and closing", 10, this::recoverAndClose);
  }

  private void sweep(String what, int every, Point point) throws Exception {
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    int step = Boolean.getBoolean("hapax.long") ? 1 : every;
    int killed = 0;
    try (Site site = Site.open(directory, storeFolder(), SinkFaults.none())) {
      int nth = step == 1 ? 1 : new SplittableRandom(seed).nextInt(1, step + 1);
      while (point.isReached(site, nth)) {
        killed++;
        nth += step;
      }
      assertThat(killed).as("points of %s, seed %d", what, seed).isPositive();
      System.out.printf(
          "seed %d, %s: killed at %d points, every %d up to %d%n", seed, what, killed, step, nth);
    }
  }

  private boolean makeStore(Site site, int nth) throws Exception {
    for (String end : List.of("", "-wal", "-shm", ".lock")) {
      Files.deleteIfExists(site.store().resolveSibling(site.store().getFileName() + end));
    }
    boolean killed = isKilled(site, nth, List.of(site.store(), wal(site)), 0, 0);
    site.settle(Workload.MIXED, 0);
    return killed;
  }

  private boolean carryOutARun(Site site, int nth) throws Exception {
    if (site.acknowledgedOrders() == 0) {
      site.settle(Workload.MIXED, 1); // the store is there, and closed
    }
    int order = SAME_EFFECTS_AGAIN * site.acknowledgedOrders();
    boolean killed = isKilled(site, nth, List.of(wal(site)), order, order + 1);
    settle(site, order, order + 1);
    return killed;
  }

  private boolean recoverAndClose(Site site, int nth) throws Exception {
    int order = site.acknowledgedOrders();
    try (ChildProcess child = site.start(Workload.MIXED, order, OrderArguments.ENDLESS)) {
      child.awaitLine(DiskSite.acknowledgement(1), DiskSite.LONGEST);
      child.kill();
      site.hear(child);
    }
    assertThat(wal(site)).isNotEmptyFile();
    int next = site.acknowledgedOrders() + DiskSite.OVERLAP;
    boolean killed = isKilled(site, nth, List.of(site.store()), next, next + 1);
    settle(site, 0, next + 1);
    return killed;
  }

  /** Starts these orders; only writes to these files count. */
  private boolean isKilled(Site site, int nth, List<Path> files, int from, int to)
      throws Exception {
    Strace strace = Strace.killing(directory.resolve("trace"), files, nth);
    try (ChildProcess child = site.startUnder(strace, Workload.MIXED, from, to)) {
      int exit = child.awaitExit(DiskSite.LONGEST);
      site.hear(child);
      boolean killed = exit == ChildProcess.KILLED;
      assertThat(killed || exit == 0).as("killed or done at %d: %s", nth, child).isTrue();
      assertThat(strace.injected() > 0)
          .as("strace killed it at %d: %s", nth, child)
          .isEqualTo(killed);
      assertThat(StoreCopy.integrity(site.store(), directory)).as("at %d", nth).isEqualTo("ok");
      return killed;
    }
  }

  private static void settle(Site site, int from, int to) throws Exception {
    site.settle(Workload.MIXED, from, to);
    assertThat(Oracle.problems(site.witnesses())).isEmpty();
  }

  private static Path wal(Site site) {
    return StoreCopy.wal(site.store());
  }

  private Path storeFolder() throws Exception {
    return Files.createDirectories(directory.resolve("store"));
  }
}
