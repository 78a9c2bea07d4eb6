package dev.hapax.testkit.mutant;

import dev.hapax.testkit.fault.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Tries the mutants of a suite, in separate processes. */
public final class Mutants {
  /**
   * Leaves a lot of room: a process says something after each few seeds, and its seeds end hanging
   * simulations themselves. What is only slow must not count as noticed.
   */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(3);

  /** The longest wait for the end of a process that has fallen silent. */
  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  /** Silences the logs of a broken engine, which would only be in the way. */
  private static final String SILENT =
      "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider";

  private static final String LINE = "%-100s %6s %6s  %s%n";

  private final Class<? extends MutantSuite> suite;
  private final List<Mutant> mutants;
  private final Map<Integer, MutantVerdict> verdicts = new TreeMap<>();

  private Mutants(Class<? extends MutantSuite> suite, List<Mutant> mutants) {
    this.suite = suite;
    this.mutants = mutants;
  }

  /**
   * Tries all mutants, prints a table of the verdicts, and returns those that live, with why.
   * {@code -Dhapax.mutant=pattern} tries only those whose line has it, {@code
   * -Dhapax.mutant.seeds=N} with another number of seeds.
   */
  public static List<String> survivors(Class<? extends MutantSuite> suite, Path directory)
      throws IOException, InterruptedException {
    var trial = new Mutants(suite, MutantProcess.make(suite).mutants());
    var wanted = Pattern.compile(System.getProperty("hapax.mutant", ""));
    System.out.printf(LINE, "mutant", "seed", "ms", "noticed by");
    trial.tryAll(
        IntStream.range(0, trial.mutants.size())
            .filter(number -> wanted.matcher(trial.mutants.get(number).toString()).find())
            .boxed()
            .toList(),
        directory);
    return trial.verdicts.values().stream()
        .filter(verdict -> !verdict.isKilled())
        .map(verdict -> trial.mutants.get(verdict.number()) + ": " + verdict.how())
        .toList();
  }

  private void tryAll(List<Integer> numbers, Path directory)
      throws IOException, InterruptedException {
    String agent = MutantAgent.option(directory);
    List<Integer> rest = numbers;
    while (!rest.isEmpty()) {
      tryIn(directory, agent, rest);
      rest = rest.stream().filter(number -> !verdicts.containsKey(number)).toList();
    }
  }

  /** Tries mutants in one process, up to the mutant that ends or hangs it. */
  private void tryIn(Path directory, String agent, List<Integer> numbers)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add(suite.getName());
    numbers.forEach(number -> arguments.add(number.toString()));
    String ifItCrashes = "-XX:ErrorFile=" + directory.resolve("crash.log");
    List<String> options = List.of(agent, "-XX:TieredStopAtLevel=4", SILENT, ifItCrashes, seeds());
    try (var process = ChildProcess.start(directory, MutantProcess.class, options, arguments)) {
      for (int told = 0; told < numbers.size(); told++) {
        if (!hearsNext(process)) {
          return;
        }
      }
    }
  }

  /** Reads the next line; returns false if the process will send no more. */
  private boolean hearsNext(ChildProcess process) throws InterruptedException {
    try {
      Set<String> heard = new HashSet<>();
      while (true) {
        String line =
            process.awaitLine(one -> isNews(one) || isNewBeat(one, heard), LONGEST_SILENCE);
        if (isNews(line)) {
          note(MutantVerdict.read(line));
          return true;
        }
        heard.add(line);
      }
    } catch (IllegalStateException e) {
      int number = MutantVerdict.onTrial(process.lines());
      if (!process.hasEndedWithin(LONGEST_END)) {
        note(MutantVerdict.killed(number, 0, "it hangs: " + e, 0));
      } else if (!verdicts.containsKey(number)) {
        note(MutantVerdict.lives(number, "the process ended: " + e, 0));
      }
      return false;
    }
  }

  /** A process that still tries seeds does not hang, however slow the machine is. */
  private static boolean isNewBeat(String line, Set<String> heard) {
    return MutantVerdict.isBeat(line) && !heard.contains(line);
  }

  private boolean isNews(String line) {
    return MutantVerdict.isLine(line) && !verdicts.containsKey(MutantVerdict.read(line).number());
  }

  private static String seeds() {
    return "-Dhapax.mutant.seeds=" + Integer.getInteger("hapax.mutant.seeds", 0);
  }

  private void note(MutantVerdict verdict) {
    verdicts.put(verdict.number(), verdict);
    System.out.printf(
        LINE,
        mutants.get(verdict.number()),
        verdict.isKilled() ? Long.toString(verdict.seed()) : "LIVES",
        verdict.millis(),
        verdict.checker());
  }
}
