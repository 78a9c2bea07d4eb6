package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Honest orders go on while attacks of every kind run, in a process of 512 MB. {@code
 * -Dhapax.soak.seconds=900} makes it as long as the figures in {@code docs/operate/security.md};
 * {@code -Dhapax.soak.jvm} adds options of the server's JVM, for example a flight recording.
 */
@Tag("attack")
class HostileSoakTest {
  private static final int SECONDS = Integer.getInteger("hapax.soak.seconds", 8);
  private static final Duration WARM_UP = Duration.ofSeconds(Math.min(SECONDS, 30));
  private static final Duration ALONE = Duration.ofSeconds(Math.min(SECONDS, 120));
  private static final long MOST_KILOBYTES = 512 * 1024;

  /** The machine of the test has two cores, which attackers, shop and callers use as well. */
  private static final double MOST_TIMES_SLOWER = 3;

  /** The slowest of a hundred orders says something only if there are thousands. */
  private static final int FEWEST_SECONDS_FOR_P99 = 60;

  /** The compilers that a server has, which {@link ServerProcess} leaves out to start faster. */
  private static final List<String> SMALL =
      List.of(
          "-XX:TieredStopAtLevel=4",
          "-Xmx208m",
          "-XX:MaxDirectMemorySize=48m",
          "-XX:ReservedCodeCacheSize=64m",
          "-XX:+ExitOnOutOfMemoryError");

  /** The environment that {@code ./hapax serve} sets. */
  private static final Map<String, String> LAUNCHED = Map.of("MALLOC_ARENA_MAX", "2");

  @TempDir Path folder;

  private static List<String> options() {
    List<String> all = new ArrayList<>(SMALL);
    String more = System.getProperty("hapax.soak.jvm", "");
    if (!more.isEmpty()) {
      all.addAll(List.of(more.split(" ", -1)));
    }
    return all;
  }

  /** A time with orders: how long each took, in order, and what the processes used. */
  private record Phase(List<Double> millis, double server, double attackers, double callers) {
    static Phase of(
        HonestTraffic honest, ServerProcess server, HostileProcess hostile, Duration time)
        throws InterruptedException {
      double serverBefore = cpuSeconds(server.pid());
      double attackersBefore = cpuSeconds(hostile.pid());
      double callersBefore = cpuSeconds(ProcessHandle.current().pid());
      List<Double> millis = honest.order(time);
      return new Phase(
          millis,
          (cpuSeconds(server.pid()) - serverBefore) / time.toSeconds(),
          (cpuSeconds(hostile.pid()) - attackersBefore) / time.toSeconds(),
          (cpuSeconds(ProcessHandle.current().pid()) - callersBefore) / time.toSeconds());
    }

    private static double cpuSeconds(long pid) {
      return ProcessHandle.of(pid)
              .flatMap(process -> process.info().totalCpuDuration())
              .orElse(Duration.ZERO)
              .toNanos()
          / 1e9;
    }

    double percentile(int percent) {
      return millis.get(Math.min(millis.size() - 1, millis.size() * percent / 100));
    }
  }

  @Test
  void attacks_of_every_kind_neither_end_the_server_nor_slow_it_down() throws Exception {
    try (var server = new ServerProcess(folder, LAUNCHED, options());
        var honest = new HonestTraffic(server);
        var hostile = new HostileProcess(folder, server)) {
      honest.order(WARM_UP);
      Phase alone = Phase.of(honest, server, hostile, ALONE);
      hostile.begin();
      Phase attacked = Phase.of(honest, server, hostile, Duration.ofSeconds(SECONDS));

      assertThat(server.isAlive()).as(server.log()).isTrue();
      print(honest.orders(), hostile.end(), alone, attacked);
      long most = mostKilobytes(server.pid());
      System.out.printf("%d MB at most%n", most / 1024);
      assertThat(honest.problems()).isEmpty();
      assertThat(most).isLessThan(MOST_KILOBYTES);
      if (SECONDS >= FEWEST_SECONDS_FOR_P99) {
        assertThat(attacked.percentile(99)).isLessThan(MOST_TIMES_SLOWER * alone.percentile(99));
      }
      server.stop();
    }
  }

  private static void print(int orders, int attacks, Phase alone, Phase attacked) {
    System.out.printf("%,d orders, %,d attacks%n", orders, attacks);
    for (int percent : List.of(50, 90, 95, 99)) {
      System.out.printf(
          "p%d %.1f -> %.1f ms%n",
          percent, alone.percentile(percent), attacked.percentile(percent));
    }
    System.out.printf(
        "processors: server %.2f -> %.2f, attackers %.2f -> %.2f, callers and shop %.2f -> %.2f%n",
        alone.server(),
        attacked.server(),
        alone.attackers(),
        attacked.attackers(),
        alone.callers(),
        attacked.callers());
  }

  private static long mostKilobytes(long pid) throws Exception {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
