package dev.hapax.app.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.Order.Workload;
import dev.hapax.app.crash.OrderArguments;
import dev.hapax.app.crash.OrderProcess;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.SinkFaults;
import dev.hapax.testkit.fault.Strace;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A write or a sync of the store fails, one case after the other on the same store: what is on the
 * disk is not known any more. The power is cut when the process has ended, so that nothing survives
 * in the operating system's cache that was acknowledged without being durable. A seed is repeated
 * with {@code -Dhapax.seed}.
 */
@Tag("disk")
class DiskErrorTest {
  private static final int MEGABYTES = 128;

  private static @Nullable DiskSite shared;

  @BeforeAll
  static void makeAStore(@TempDir Path directory) throws Exception {
    Machine.hasLoopDisks(directory);
    Machine.hasStrace();
    DiskSite on = DiskSite.open(directory, MEGABYTES, SinkFaults.none());
    shared = on;
    on.site().settle(Workload.MIXED, DiskSite.OVERLAP);
  }

  @AfterAll
  static void unmount() throws Exception {
    DiskSite on = shared;
    if (on != null) {
      on.close();
    }
  }

  /** The first ones hit the store while it is being opened. */
  @ParameterizedTest(name = "sync {0} fails")
  @ValueSource(ints = {1, 2, 3})
  void a_process_whose_disk_fails_at_the_start_ends_by_itself(int nth) throws Exception {
    failAndCutPower(theSite(), Strace.SYNCS, Integer.toString(nth));

    theSite().settleWithoutProblems();
  }

  @ParameterizedTest(name = "{0} fails {1}")
  @CsvSource({"sync,once", "sync,always", "write,once", "write,always"})
  void a_process_whose_disk_fails_stops_acknowledging_and_ends_by_itself(
      String call, String howOften) throws Exception {
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    boolean sync = call.equals("sync");
    int nth = new SplittableRandom(seed).nextInt(2, sync ? 40 : 300);
    String when = nth + (howOften.equals("always") ? "+" : "");
    System.out.printf("seed %d: %s fails at %s%n", seed, call, when);

    failAndCutPower(theSite(), sync ? Strace.SYNCS : Strace.WRITES, when);

    theSite().settleWithoutProblems();
  }

  private static void failAndCutPower(DiskSite on, String calls, String when) throws Exception {
    Strace strace = Strace.failing(on.trace(), on.written(), calls, "EIO", when);
    try (ChildProcess child = on.startUnder(strace, OrderArguments.ENDLESS)) {
      int exit = child.awaitExit(DiskSite.LONGEST);
      assertThat(strace.injected()).as("errors: %s", child).isPositive();
      assertThat(exit).as("%s", child).isEqualTo(OrderProcess.EXIT_BROKEN);
      assertThat(DiskSite.count(child, OrderProcess.BROKEN)).as("%s", child).isPositive();
      assertThat(DiskSite.count(child, OrderProcess.PROBLEM)).as("%s", child).isZero();
      on.cutPower(child);
    }
    assertThat(StoreCopy.integrity(on.site().store(), on.directory())).isEqualTo("ok");
  }

  private static DiskSite theSite() {
    DiskSite on = shared;
    if (on == null) {
      throw new IllegalStateException("there is no site without a disk");
    }
    return on;
  }
}
