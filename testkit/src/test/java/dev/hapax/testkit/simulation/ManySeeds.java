package dev.hapax.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.testkit.fault.Programme;
import dev.hapax.testkit.fault.Results;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every promise, over many seeds of one generator. {@code -Dhapax.seeds=N} runs more or fewer of
 * them, {@code -Dhapax.seed=N} runs one and prints what happened in it, {@code -Dhapax.choices=…}
 * does so with a shrunk one.
 */
@Tag("simulation")
abstract class ManySeeds {
  private static final Long ONE_SEED = Long.getLong("hapax.seed");
  private static final @Nullable String CHOICES = System.getProperty("hapax.choices");
  private static final int THREADS = 2;

  private final Generator generator;
  private final int inEveryBuild;
  private final List<String> branches;

  /**
   * Seeds of a generator.
   *
   * @param inEveryBuild how many
   * @param branches that so many must reach
   */
  ManySeeds(Generator generator, int inEveryBuild, List<String> branches) {
    this.generator = generator;
    this.inEveryBuild = inEveryBuild;
    this.branches = branches;
  }

  @Test
  void every_promise_is_kept() throws Exception {
    if (ONE_SEED != null) {
      replay(Choices.of(ONE_SEED));
      return;
    }
    if (CHOICES != null) {
      replay(Choices.again(ChoiceText.read(CHOICES)));
      return;
    }
    var programme = Programme.of("hapax.seeds", inEveryBuild, 200_000);
    var tally = new Tally();
    var failed = new ConcurrentSkipListMap<Long, String>();
    long seeds = runAll(programme, tally, failed);
    report(seeds, programme.taken(), tally);
    Results.append(
        "%d seeds in %s: %d failed %s, %s"
            .formatted(seeds, programme.taken(), failed.size(), failed.keySet(), tally.counts()));

    if (!failed.isEmpty()) {
      long seed = failed.firstKey();
      System.out.println(shrunk(seed));
      assertThat(failed).as("replay with: " + command("seed", seed)).isEmpty();
    }
    if (seeds >= inEveryBuild) {
      assertThat(branches.stream().filter(branch -> tally.of(branch) == 0).toList())
          .as("branches that were not reached")
          .isEmpty();
      assertThat(Fault.of(generator))
          .as("faults")
          .allMatch(fault -> tally.of("fault " + fault) > 0);
    }
  }

  /** The threads share nothing but the next number. */
  private long runAll(Programme programme, Tally tally, ConcurrentSkipListMap<Long, String> failed)
      throws InterruptedException {
    var taken = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long seed; programme.goesOn((seed = taken.incrementAndGet()) - 1); ) {
                      var result =
                          Simulation.run(generator, Choices.of(seed), Mutation.NONE, false);
                      synchronized (tally) {
                        tally.add(result.tally());
                      }
                      if (!result.broken().isEmpty()) {
                        failed.put(seed, String.join("\n", result.broken()));
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return taken.get() - THREADS; // each thread took one more, and left it
  }

  private static void report(long seeds, Duration taken, Tally tally) {
    System.out.printf("%,d seeds in %.1f s%n", seeds, taken.toMillis() / 1e3);
    tally.counts().forEach((what, count) -> System.out.printf("  %-40s %,12d%n", what, count));
  }

  private void replay(Choices choices) {
    var result = Simulation.run(generator, choices, Mutation.NONE, true);
    result.trace().lines().forEach(System.out::println);
    assertThat(result.broken()).isEmpty();
  }

  /** Few choices are easier to read than a seed, and still mean the same after a small change. */
  private String shrunk(long seed) {
    var failed = Simulation.run(generator, Choices.of(seed), Mutation.NONE, false);
    if (failed.broken().isEmpty()) {
      return "seed %d keeps every promise when it is run again".formatted(seed);
    }
    var shrunk = Shrunk.from(generator, failed, () -> Mutation.NONE);
    return "seed %d made %,d choices, shrunk to %s%nreplay with: %s%nkeep it with a line 'REAL %s %s' in kept-choices.txt"
        .formatted(
            seed,
            failed.choices().size(),
            shrunk,
            command("choices", ChoiceText.write(shrunk.choices())),
            shrunk.promise(),
            ChoiceText.write(shrunk.choices()));
  }

  private String command(String property, Object value) {
    return "mvn -pl testkit -am test -Dtest=%s -Dhapax.%s=%s"
        .formatted(getClass().getSimpleName(), property, value);
  }

  @Test
  void the_same_seed_gives_the_same_trace_in_another_process() throws Exception {
    List<String> seeds = LongStream.rangeClosed(1, 40).mapToObj(Long::toString).toList();
    List<String> here =
        seeds.stream().map(seed -> TraceHashes.of(generator, Long.parseLong(seed))).toList();

    assertThat(inAnotherProcess(seeds)).isEqualTo(here);
    assertThat(here).doesNotHaveDuplicates();
  }

  private List<String> inAnotherProcess(List<String> seeds)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(TraceHashes.class.getName());
    command.add(generator.name());
    command.addAll(seeds);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (var out = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = out.lines().toList();
      assertThat(process.waitFor()).isZero();
      return lines;
    }
  }

  @Test
  void the_same_choices_give_the_same_trace() {
    var first = Simulation.run(generator, Choices.of(7), Mutation.NONE, false);
    var again = Simulation.run(generator, Choices.again(first.choices()), Mutation.NONE, false);

    assertThat(again.trace().hash()).isEqualTo(first.trace().hash());
  }
}
