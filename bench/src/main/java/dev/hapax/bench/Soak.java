package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A process with a small fixed heap runs for long at a steady pace: runs start, wait in the store,
 * continue, end and expire. The heap occupies all of its pages from the beginning, so that any
 * growth is native memory.
 *
 * <p>Not part of a run of all loads: {@code bench/run soak.sqlite} takes as many minutes as {@code
 * -Dsoak.minutes} says, 120 by default. Each minute goes to standard error as a line of CSV.
 */
record Soak(int startsPerSecond) implements Load {
  static final String CHILD = "--soak-child";

  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Duration RETENTION = Duration.ofMinutes(1);

  /** Caches fill and code is compiled until then. */
  private static final int WARM_UP_MINUTES = 15;

  @Override
  public String name() {
    return "soak.sqlite." + startsPerSecond;
  }

  @Override
  public void measure(Workspace workspace, Report report) throws IOException {
    int minutes = Integer.getInteger("soak.minutes", 120);
    List<String> command = Child.java();
    command.addAll(
        List.of("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "-cp", Workspace.classPath()));
    command.addAll(List.of(Bench.class.getName(), CHILD, workspace.file("soak.db").toString()));
    command.addAll(List.of(Integer.toString(minutes), Integer.toString(startsPerSecond)));
    List<Double> resident = new ArrayList<>();
    try (var child = Child.started("soak", new ProcessBuilder(command))) {
      System.err.println(Sample.HEADER);
      for (int minute = 0; minute < minutes; minute++) {
        String line = child.line();
        System.err.println(line);
        resident.add(Double.parseDouble(line.split(",", -1)[Sample.RESIDENT]));
      }
    }
    int settled = Math.min(WARM_UP_MINUTES, minutes) - 1;
    report.add(Figure.of(name() + ".minutes", minutes, "min"));
    report.add(Figure.of(name() + ".rss-mb", resident.getLast(), "MB"));
    report.add(
        Figure.of(name() + ".rss-growth-mb", resident.getLast() - resident.get(settled), "MB"));
  }

  /** Runs the child: the arguments after {@link #CHILD}. */
  static void live(Path file, int minutes, int startsPerSecond) throws Exception {
    Flow<Order, String> flow =
        Flow.of("soak", Order.class, String.class)
            .key(Order::id)
            .retention(RETENTION)
            .body(
                (run, order) -> {
                  for (String step : List.of("charge", "mail")) {
                    run.effect(
                        step,
                        Effect.create(order.id()).keyed(),
                        _ -> OrderFlow.receipt(order),
                        OrderFlow.Receipt.class);
                    run.sleep("after-" + step, WAIT);
                  }
                  return "done";
                });
    try (var hapax = Hapax.open(file)) {
      hapax.register(flow);
      var atOnce = new Semaphore(startsPerSecond);
      long begin = System.nanoTime();
      long started = 0;
      for (int minute = 1; minute <= minutes; minute++) {
        while (System.nanoTime() - begin < Duration.ofMinutes(minute).toNanos()) {
          long due = (long) ((System.nanoTime() - begin) / 1e9 * startsPerSecond);
          for (; started < due; started++) {
            atOnce.acquire(); // a machine that falls behind does not pile up threads
            Thread.startVirtualThread(() -> start(hapax, flow, atOnce));
          }
          Thread.sleep(10);
        }
        System.out.println(Sample.take(minute, started, hapax, file));
      }
    }
  }

  /** Repeats every twentieth start: a duplicate is looked up and answered, too. */
  private static void start(Hapax hapax, Flow<Order, String> flow, Semaphore atOnce) {
    try {
      Order order = OrderFlow.randomOrder();
      hapax.start(flow, order);
      if (ThreadLocalRandom.current().nextInt(20) == 0) {
        hapax.start(flow, order);
      }
    } finally {
      atOnce.release();
    }
  }

  /** The resources of the process at the end of a minute. */
  private record Sample(
      int minute, long started, long expired, long rss, long heap, long other, long store) {
    static final String HEADER = "minute,started,expired,rss-mb,heap-mb,jvm-other-mb,store-mb";
    static final int RESIDENT = 3;

    static Sample take(int minute, long started, Hapax hapax, Path file) throws IOException {
      var memory = ManagementFactory.getMemoryMXBean();
      return new Sample(
          minute,
          started,
          hapax.retention().deleted().runs(),
          residentKilobytes() >> 10,
          memory.getHeapMemoryUsage().getUsed() >> 20,
          memory.getNonHeapMemoryUsage().getUsed() >> 20,
          Files.size(file) >> 20);
    }

    private static long residentKilobytes() throws IOException {
      try (BufferedReader lines = Files.newBufferedReader(Path.of("/proc/self/status"))) {
        for (String line; (line = lines.readLine()) != null; ) {
          if (line.startsWith("VmRSS:")) {
            return Long.parseLong(line.replaceAll("\\D", ""));
          }
        }
      }
      throw new IOException("/proc/self/status does not tell VmRSS: the soak needs Linux");
    }

    @Override
    public String toString() {
      return "%d,%d,%d,%d,%d,%d,%d".formatted(minute, started, expired, rss, heap, other, store);
    }
  }
}
