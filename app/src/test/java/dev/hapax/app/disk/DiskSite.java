package dev.hapax.app.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.Oracle;
import dev.hapax.app.crash.Order.Workload;
import dev.hapax.app.crash.OrderProcess;
import dev.hapax.app.crash.Site;
import dev.hapax.app.crash.Witnesses;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.LoopDisk;
import dev.hapax.testkit.fault.SinkFaults;
import dev.hapax.testkit.fault.Strace;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** A site whose store has a disk of its own; its witnesses lie elsewhere. For one thread. */
record DiskSite(Path directory, LoopDisk disk, Site site) implements AutoCloseable {
  static final Duration LONGEST = Duration.ofSeconds(30);

  /**
   * More than a process starts at once, so that orders that were under way at a fault are started
   * again.
   */
  static final int OVERLAP = 10;

  static DiskSite open(Path directory, int megabytes, SinkFaults faults)
      throws IOException, SQLException, InterruptedException {
    LoopDisk disk = LoopDisk.make(directory, megabytes);
    try {
      return new DiskSite(directory, disk, Site.open(directory, disk.root(), faults));
    } catch (IOException | SQLException | InterruptedException | RuntimeException e) {
      disk.close();
      throw e;
    }
  }

  /** The files through which data reaches the disk. The index beside them is made anew. */
  List<Path> written() {
    return List.of(site.store(), wal());
  }

  Path wal() {
    return StoreCopy.wal(site.store());
  }

  Path trace() {
    return directory.resolve("trace");
  }

  /** A process on a faulty disk that goes on with new orders, and some that it may have started. */
  ChildProcess startUnder(Strace strace, int to) throws IOException {
    return site.startUnder(strace, Workload.MIXED, firstOrder(), to);
  }

  int firstOrder() {
    return Math.max(0, site.acknowledgedOrders() - OVERLAP);
  }

  /** The process and the power go at the same instant, and the power comes back. */
  void cutPower(ChildProcess child) throws IOException, InterruptedException {
    child.sendKill();
    disk.cutPower();
    child.kill();
    site.hear(child);
    disk.restorePower();
  }

  /** Lets a process without faults bring everything to its end, and asks the oracle. */
  Witnesses settle() throws IOException, SQLException, InterruptedException {
    int orders = site.acknowledgedOrders() + OVERLAP;
    site.settle(Workload.MIXED, orders);
    Witnesses witnesses = site.witnesses();
    assertThat(witnesses.runs()).hasSize(orders);
    return witnesses;
  }

  /** As above, and nothing may be wrong. */
  Witnesses settleWithoutProblems() throws IOException, SQLException, InterruptedException {
    Witnesses witnesses = settle();
    assertThat(Oracle.problems(witnesses)).isEmpty();
    return witnesses;
  }

  /** True at the nth acknowledgement of a process. */
  static Predicate<String> acknowledgement(int nth) {
    return nth(OrderProcess.ACCEPTED, nth);
  }

  /** True at the nth line that begins so. */
  static Predicate<String> nth(String beginning, int nth) {
    int[] seen = {0};
    return line -> line.startsWith(beginning) && ++seen[0] == nth;
  }

  static long count(ChildProcess child, String beginning) {
    return child.lines().stream().filter(line -> line.startsWith(beginning)).count();
  }

  @Override
  public void close() throws IOException {
    try (disk) {
      site.close();
    }
  }
}
