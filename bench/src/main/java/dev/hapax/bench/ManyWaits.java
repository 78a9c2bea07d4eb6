package dev.hapax.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One run that waits many times in a plain loop, like a body that polls. Each wake-up replays all
 * waits that are over; the cost of the last wake-ups is compared with that of the early ones.
 */
record ManyWaits(int waits) implements Load {
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** Long enough that the run is unloaded. */
  private static final Duration PAUSE = Duration.ofMillis(1);

  /** The number of waits over which the cost of a wake-up is taken. */
  private static final int SPAN = 100;

  /** The waits until the code is compiled. */
  private static final int WARM_UP = 700;

  @Override
  public String name() {
    return "waits.sqlite." + waits;
  }

  @Override
  public void measure(Workspace workspace, Report report) {
    runOnce(workspace.file("warm.db"), WARM_UP);
    long[] cpuNanos = runOnce(workspace.file("waits.db"), waits);
    double early = perWake(cpuNanos, 2 * SPAN);
    report.add(Figure.of(name() + ".cpu-ms-per-early-wake", early, "ms of CPU"));
    report.add(
        Figure.of(name() + ".cpu-ms-per-last-wake", perWake(cpuNanos, waits), "ms of CPU")
            .against(_ -> early));
  }

  private static double perWake(long[] cpuNanos, int last) {
    return (cpuNanos[last - 1] - cpuNanos[last - 1 - SPAN]) / 1e6 / SPAN;
  }

  /** Returns the CPU time at the end of each wait. */
  private static long[] runOnce(Path file, int waits) {
    long[] cpuNanos = new long[waits];
    Flow<String, String> flow =
        Flow.of("poll", String.class, String.class)
            .key(id -> id)
            .body(
                (run, id) -> {
                  for (int i = 0; i < waits; i++) {
                    run.item(Integer.toString(i)).sleep("pause", PAUSE);
                    if (cpuNanos[i] == 0) {
                      cpuNanos[i] = PROCESS.getProcessCpuTime();
                    }
                  }
                  return id;
                });
    try (var hapax = Hapax.open(file)) {
      hapax.register(flow);
      hapax.start(flow, "A-1").await();
    }
    return cpuNanos;
  }
}
