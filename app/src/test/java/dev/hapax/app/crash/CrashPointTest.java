package dev.hapax.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.Order.Guarded;
import dev.hapax.app.crash.Order.Workload;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.SinkFaults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that dies at a named boundary, with a run of every guard under way, loses nothing and
 * repeats nothing.
 */
@Tag("crash")
@Execution(ExecutionMode.CONCURRENT)
class CrashPointTest {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int GUARDS = Guarded.values().length;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void a_process_that_dies_at_this_boundary_loses_nothing_and_repeats_nothing(Boundary boundary)
      throws Exception {
    try (Site site = Site.open(directory, SinkFaults.none().first(boundary.firstRequest()))) {
      dieAt(boundary, site);

      site.settle(Workload.ONE_PER_GUARD, GUARDS);

      Witnesses witnesses = site.witnesses();
      assertThat(Oracle.problems(witnesses)).isEmpty();
      assertThat(witnesses.runs()).hasSize(GUARDS);
      if (boundary.leavesAllInFlight()) {
        assertThat(runsWithDoubt(witnesses))
            .as("runs whose attempt was in flight")
            .isEqualTo(GUARDS);
      }
    }
  }

  private static void dieAt(Boundary boundary, Site site) throws Exception {
    String option = "-D" + CrashPoint.PROPERTY + "=" + boundary.crashAt();
    try (ChildProcess child = site.start(Workload.ONE_PER_GUARD, 0, GUARDS, option)) {
      int exit = child.awaitExit(LONGEST);
      site.hear(child);
      // A boundary that is never reached would prove nothing.
      assertThat(child.lines()).as("%s", child).contains(boundary.lastWord());
      assertThat(exit).isEqualTo(ChildProcess.KILLED);
    }
  }

  private static long runsWithDoubt(Witnesses witnesses) {
    return witnesses.histories().values().stream()
        .filter(
            history ->
                history.stream()
                    .anyMatch(entry -> List.of("doubt", "review").contains(entry.type())))
        .count();
  }
}
