package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Flow;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A process with a small heap starts many runs that wait for weeks, and then some that wait for the
 * same moment. Measures how long after it the last of them continues.
 */
record WaitingRuns(int runs, int due) implements Load {
  static final String CHILD = "--waiting-child";
  private static final String HEAP = "-Xmx512m";

  /** A run that waits until this time. */
  record Waiting(String id, @Nullable Instant until) {}

  @Override
  public String name() {
    return "waiting.sqlite." + runs;
  }

  @Override
  public void measure(Workspace workspace, Report report) throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    HEAP,
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    Workspace.classPath(),
                    Bench.class.getName(),
                    CHILD,
                    workspace.file("waiting.db").toString(),
                    Integer.toString(runs),
                    Integer.toString(due)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = child.inputReader()) {
      report.add(Figure.of(name() + ".starts-per-s", number(lines), "starts/s"));
      report.add(
          Figure.of(name() + ".commits-per-start", number(lines), "awaited commits/start")
              .aims(Goal.atMost(1.05, 1.001)));
      report.add(
          Figure.of("waiting.sqlite.wake-" + due + ".seconds", number(lines), "s")
              .aims(Goal.atMost(3, 1)));
    } finally {
      child.destroyForcibly().waitFor(); // SIGKILL, by its process id
    }
  }

  private static double number(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    if (line == null) {
      throw new IllegalStateException("the child ended before it had measured everything");
    }
    return Double.parseDouble(line);
  }

  /** Runs a child: the arguments after {@link #CHILD}. */
  static void live(Path file, int runs, int due) throws InterruptedException {
    var woken = new CountDownLatch(due);
    Flow<Waiting, String> flow =
        Flow.of("waiting", Waiting.class, String.class)
            .key(Waiting::id)
            .body(
                (run, waiting) -> {
                  Instant until = waiting.until();
                  if (until == null) {
                    run.sleep("weeks", Duration.ofDays(30));
                  } else {
                    run.sleepUntil("moment", until);
                    woken.countDown();
                  }
                  return "awake";
                });
    var counting = new CountingStore(Workspace.open(file));
    try (var hapax = Hapax.open(counting, HapaxOptions.DEFAULT)) {
      hapax.register(flow);
      long begin = System.nanoTime();
      startAll(hapax, flow, runs, null);
      System.out.println(runs * 1e9 / (System.nanoTime() - begin));
      System.out.println(counting.groups.sum() / (double) runs);
      Instant moment = Instant.now().plusSeconds(10);
      startAll(hapax, flow, due, moment);
      woken.await();
      System.out.println(Duration.between(moment, Instant.now()).toMillis() / 1e3);
    }
  }

  private static void startAll(
      Hapax hapax, Flow<Waiting, String> flow, int count, @Nullable Instant until)
      throws InterruptedException {
    int callers = 256;
    var left = new AtomicInteger(count);
    var done = new CountDownLatch(callers);
    for (int caller = 0; caller < callers; caller++) {
      Thread.startVirtualThread(
          () -> {
            while (left.getAndDecrement() > 0) {
              hapax.start(flow, new Waiting(OrderFlow.randomOrder().id(), until));
            }
            done.countDown();
          });
    }
    done.await();
  }
}
