package dev.hapax.app.crash.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.crash.CrashingStore.Moment;
import dev.hapax.testkit.fault.Programme;
import dev.hapax.testkit.fault.Results;
import dev.hapax.testkit.fault.SinkClient.Stage;
import dev.hapax.testkit.fault.SinkFaults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Processes that die, one after another on the same store, while runs wait, ask people, call each
 * other, loop, compensate, publish and expire, and the destination loses answers. {@code
 * -Dhapax.kills.features} says how often; a seed is repeated with {@code -Dhapax.seed}.
 */
@Tag("crash")
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
class FeatureKillTest {
  /** Those that belong to a feature; {@code CrashPointTest} has those of every effect. */
  private static final EnumSet<Moment> MOMENTS = EnumSet.range(Moment.WAKE, Moment.ITEM);

  @TempDir Path directory;

  @Test
  void a_process_that_dies_at_each_boundary_in_turn_loses_nothing_and_repeats_nothing()
      throws Exception {
    long seed = seed();
    try (AgencySite site = AgencySite.open(directory, faults(seed))) {
      for (String boundary : boundaries()) {
        site.dieAt(boundary);
      }
      AgencyWitnesses witnesses = check(site, seed, "%d boundaries".formatted(boundaries().size()));
      assertThat(witnesses.reports(Report.REVIEW)).as("undos whose answer was lost").isNotEmpty();
    }
  }

  /** Each death leaves its work to the next process, which dies at another boundary. */
  private static List<String> boundaries() {
    var points = new ArrayList<String>();
    for (Moment moment : MOMENTS) {
      points.add(moment.before());
      points.add(moment.after());
    }
    for (Stage stage : Stage.values()) {
      points.add(Post.point("undo", stage));
      points.add(Post.point("delivery", stage));
    }
    return points;
  }

  @Test
  void kills_at_random_instants_lose_nothing_and_repeat_nothing() throws Exception {
    long seed = seed();
    var random = new SplittableRandom(seed);
    var programme = Programme.of("hapax.kills.features", 20, 500);
    int kills = 0;
    try (AgencySite site = AgencySite.open(directory, faults(seed))) {
      while (programme.goesOn(kills)) {
        boolean early = random.nextInt(5) == 0; // so that opening and recovery are killed too
        int most = early ? 450 : 700;
        site.killAfter(Duration.ofMillis(random.nextInt(20, most)), !early);
        kills++;
      }
      check(site, seed, "%d kills in %s".formatted(kills, programme.taken()));
    }
  }

  private static AgencyWitnesses check(AgencySite site, long seed, String done) throws Exception {
    AgencyWitnesses witnesses = site.settle();
    List<String> problems = AgencyOracle.problems(witnesses);
    String line = "features: %s, seed %d: %s".formatted(done, seed, witnesses);
    System.out.println(line);
    Results.append(line + ", %d problems".formatted(problems.size()));
    assertThat(problems).as("seed %d", seed).isEmpty();
    for (Report what :
        List.of(Report.RECEIVED, Report.ASKS, Report.PARTIAL, Report.HEARD, Report.STRANGER)) {
      assertThat(witnesses.reports(what)).as("%s, seed %d", what, seed).isNotEmpty();
    }
    return witnesses;
  }

  private static SinkFaults faults(long seed) {
    return new SinkFaults(seed, 0.05, 0.03, 0.03, 0.03, SinkFaults.First.BY_CHANCE);
  }

  private static long seed() {
    long seed = Long.getLong("hapax.seed", System.nanoTime());
    System.out.println("seed " + seed);
    return seed;
  }
}
