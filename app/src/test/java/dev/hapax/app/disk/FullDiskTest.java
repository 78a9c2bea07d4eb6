package dev.hapax.app.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.Order.Workload;
import dev.hapax.app.crash.OrderProcess;
import dev.hapax.app.crash.Witnesses;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.SinkFaults;
import dev.hapax.testkit.fault.Strace;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk without space refuses new runs and keeps the accepted ones waiting; with space again the
 * same process goes on by itself.
 */
@Tag("disk")
class FullDiskTest {
  private static final int MEGABYTES = 64;
  private static final int ORDERS = 100;

  /** So small, and with so many orders, that the WAL would take all of it if it were let. */
  private static final int FEW_MEGABYTES = 32;

  private static final int MANY_ORDERS = 300;

  /** Filled in advance but for this much, so that the rest is filled in no time. */
  private static final long LEFT_BYTES = 2 << 20;

  /** All clients have come several times. */
  private static final int MANY_REFUSALS = 60;

  @TempDir Path directory;

  @BeforeEach
  void needs_a_disk_of_its_own() throws Exception {
    Machine.hasLoopDisks(directory);
  }

  @Test
  void starts_are_refused_while_the_disk_is_full_and_everything_goes_on_when_there_is_space()
      throws Exception {
    try (DiskSite on = DiskSite.open(directory, FEW_MEGABYTES, SinkFaults.none())) {
      on.disk().fill(LEFT_BYTES);
      try (ChildProcess child = on.site().start(Workload.MIXED, 0, MANY_ORDERS)) {
        child.awaitLine(DiskSite.acknowledgement(1), DiskSite.LONGEST);
        on.disk().fill(0);
        child.awaitLine(DiskSite.nth(OrderProcess.FULL, MANY_REFUSALS), DiskSite.LONGEST);
        // A small one may still fit where a checkpoint has made room; what is accepted is judged
        // at the end.
        assertThat(DiskSite.count(child, OrderProcess.ACCEPTED))
            .as("accepted while there was no space: %s", child)
            .isBetween(1L, MANY_ORDERS - 1L);

        on.disk().free();

        goesOnByItself(on, child, MANY_ORDERS);
      }
    }
  }

  @Test
  void a_process_goes_on_after_writes_that_found_no_space() throws Exception {
    Machine.hasStrace();
    try (DiskSite on = DiskSite.open(directory, MEGABYTES, SinkFaults.none())) {
      on.site().settle(Workload.MIXED, 1); // the store is made before its disk fails
      Strace strace = Strace.failing(on.trace(), on.written(), Strace.WRITES, "ENOSPC", "100..102");
      try (ChildProcess child = on.startUnder(strace, ORDERS)) {
        goesOnByItself(on, child, ORDERS);
      }
      assertThat(strace.injected()).isGreaterThanOrEqualTo(3);
    }
  }

  private static void goesOnByItself(DiskSite on, ChildProcess child, int orders) throws Exception {
    int exit = child.awaitExit(DiskSite.LONGEST);
    assertThat(exit).as("%s", child).isZero();
    assertThat(child.lines()).as("%s", child).endsWith(OrderProcess.FINISHED);
    assertThat(DiskSite.count(child, OrderProcess.PROBLEM)).as("%s", child).isZero();
    assertThat(DiskSite.count(child, OrderProcess.FULL)).as("%s", child).isPositive();
    on.site().hear(child);

    Witnesses witnesses = on.settleWithoutProblems();

    assertThat(witnesses.acknowledged()).hasSize(orders + DiskSite.OVERLAP);
  }
}
