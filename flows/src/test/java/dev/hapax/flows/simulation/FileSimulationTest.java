package dev.hapax.flows.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.testkit.fault.Programme;
import dev.hapax.testkit.fault.Results;
import dev.hapax.testkit.simulation.ChoiceText;
import dev.hapax.testkit.simulation.Choices;
import dev.hapax.testkit.simulation.Course;
import dev.hapax.testkit.simulation.Mutation;
import dev.hapax.testkit.simulation.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Generated flow files do what they say under every fault of the machine. {@code -Dhapax.seeds=N}
 * runs more or fewer of them, {@code -Dhapax.seed=N} one, {@code -Dhapax.choices=…} a shrunk one.
 */
@Tag("simulation")
@Order(1)
class FileSimulationTest {
  private static final int IN_EVERY_BUILD = 3_000;
  private static final int THREADS = 2;
  private static final int MOST_TRIES = 400;

  /** What at least one file of every build has come to. */
  private static final List<String> REQUIRED =
      List.of(
          "file: approval announced",
          "file: rework REUSED",
          "file: rework KEPT",
          "file: rework SENT",
          "file: rework REVISED",
          "file: alert failed",
          "file: alert review",
          "file: alert waiting too long");

  private static final Long ONE_SEED = Long.getLong("hapax.seed");
  private static final @Nullable String CHOICES = System.getProperty("hapax.choices");

  @Test
  void generated_files_send_what_they_say_and_nothing_else() throws Exception {
    if (ONE_SEED != null || CHOICES != null) {
      var choices =
          CHOICES != null ? Choices.again(ChoiceText.read(CHOICES)) : Choices.of(ONE_SEED);
      var result = FileSimulation.run(choices, Mutation.NONE, true);
      System.out.println(result.text());
      result.outcome().trace().lines().forEach(System.out::println);
      assertThat(result.problems()).isEmpty();
      return;
    }
    var programme = Programme.of("hapax.seeds", IN_EVERY_BUILD, 100_000);
    var failed = new ConcurrentSkipListMap<Long, String>();
    var tally = new Tally();
    long seeds = runAll(programme, tally, failed);
    System.out.printf("%,d files in %.1f s%n", seeds, programme.taken().toMillis() / 1e3);
    tally.counts().forEach((what, count) -> System.out.printf("  %-40s %,12d%n", what, count));
    Results.append(
        "%d flow files in %s: %d failed %s, %s"
            .formatted(seeds, programme.taken(), failed.size(), failed.keySet(), tally.counts()));

    if (!failed.isEmpty()) {
      System.out.println(shrunk(failed.firstKey()));
      assertThat(failed).as("replay with: " + command("seed", failed.firstKey())).isEmpty();
    }
    if (seeds >= IN_EVERY_BUILD - THREADS) {
      assertThat(tally.counts().keySet()).containsAll(REQUIRED);
    }
  }

  private static long runAll(
      Programme programme, Tally tally, ConcurrentSkipListMap<Long, String> failed)
      throws InterruptedException {
    // Loads the classes; a turn in which that happens takes longer than a turn may take.
    FileSimulation.run(Choices.of(0), Mutation.NONE, false);
    var taken = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long seed; programme.goesOn((seed = taken.incrementAndGet()) - 1); ) {
                      var result = FileSimulation.run(Choices.of(seed), Mutation.NONE, false);
                      synchronized (tally) {
                        tally.add(result.outcome().tally());
                      }
                      if (!result.problems().isEmpty()) {
                        failed.put(seed, String.join("\n", result.problems()));
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return taken.get() - THREADS;
  }

  private static String shrunk(long seed) {
    var failed = FileSimulation.run(Choices.of(seed), Mutation.NONE, false);
    if (failed.problems().isEmpty()) {
      return "seed %d is well when it is run again".formatted(seed);
    }
    var small = shrunk(failed, Mutation.NONE);
    return "seed %d, shrunk:%n%s%n%s%nreplay with: %s"
        .formatted(
            seed,
            small.text(),
            String.join("\n", small.problems()),
            command("choices", ChoiceText.write(small.choices())));
  }

  /** A file that a person can read, with the same kind of problem. */
  static FileSimulation.Result shrunk(FileSimulation.Result failed, Mutation mutation) {
    String kind = kindOf(failed);
    List<Integer> choices =
        Course.shrink(
            failed.choices(),
            list -> kindOf(FileSimulation.run(Choices.again(list), mutation, false)).equals(kind),
            FileGenerator::cuts,
            MOST_TRIES);
    return FileSimulation.run(Choices.again(choices), mutation, false);
  }

  private static String kindOf(FileSimulation.Result result) {
    return result.problems().isEmpty()
        ? ""
        : result.problems().getFirst().substring(0, result.problems().getFirst().indexOf(':'));
  }

  private static String command(String property, Object value) {
    return "mvn -pl flows -am test -Dtest=FileSimulationTest -Dhapax.%s=%s"
        .formatted(property, value);
  }
}
