package dev.hapax.testkit.mutant;

import dev.hapax.testkit.fault.ChildProcess;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tries mutants, one after another, and prints the verdict on each. It is a separate process, since
 * it breaks classes that other tests use.
 */
final class MutantProcess {
  private static final int THREADS = 2;
  private static final int SEEDS_PER_BEAT = 10;

  /** The message of a simulation whose threads may still run. */
  private static final String HANGS = "takes longer than";

  private final MutantSuite suite;
  private final AtomicLong beats = new AtomicLong();
  private final PrintStream out;
  private final int mostSeeds;

  private MutantProcess(MutantSuite suite, PrintStream out) {
    this.suite = suite;
    this.out = out;
    int asked = Integer.getInteger("hapax.mutant.seeds", 0);
    this.mostSeeds = asked > 0 ? asked : suite.mostSeeds();
  }

  /** Takes the name of the suite, then the numbers of its mutants. */
  public static void main(String[] arguments) throws Exception {
    ChildProcess.endWithParent();
    var process =
        new MutantProcess(
            make(Class.forName(arguments[0]).asSubclass(MutantSuite.class)),
            new PrintStream(System.out, true, StandardCharsets.UTF_8));
    process.tryAll(List.of(arguments).stream().skip(1).map(Integer::valueOf).toList());
    Runtime.getRuntime().halt(0);
  }

  /** Creates the suite by its constructor without parameters. */
  static MutantSuite make(Class<? extends MutantSuite> suite) {
    try {
      var constructor = suite.getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("no suite can be made of " + suite, e);
    }
  }

  /** Tries all mutants. The next ones are compiled while one is tried. */
  private void tryAll(List<Integer> numbers) throws Exception {
    try (ExecutorService ahead = Executors.newSingleThreadExecutor()) {
      Map<Integer, Future<Map<String, byte[]>>> compiled = new LinkedHashMap<>();
      for (List<Integer> some : together(numbers)) {
        var batch = new MutantCompiler().together(some.stream().map(this::mutant).toList());
        for (int number : some) {
          compiled.put(number, ahead.submit(() -> batch.classesOf(mutant(number))));
        }
      }
      for (var next : compiled.entrySet()) {
        out.println(MutantVerdict.trial(next.getKey()));
        MutantVerdict verdict = verdict(next.getKey(), next.getValue()::get, System.nanoTime());
        out.println(verdict.toLine());
        if (hangs(List.of(verdict.how()))) {
          Runtime.getRuntime().halt(0); // the parent goes on with another process
        }
      }
    }
  }

  private Mutant mutant(int number) {
    return suite.mutants().get(number);
  }

  /** Groups the mutants. All in each list are of different files. */
  private Collection<List<Integer>> together(List<Integer> numbers) {
    Map<String, Integer> seen = new HashMap<>();
    Map<Integer, List<Integer>> lists = new TreeMap<>();
    for (int number : numbers) {
      int list = seen.merge(mutant(number).type(), 1, Integer::sum);
      lists.computeIfAbsent(list, _ -> new ArrayList<>()).add(number);
    }
    return lists.values();
  }

  private MutantVerdict verdict(int number, Callable<Map<String, byte[]>> compiled, long start)
      throws Exception {
    Mutant mutant = mutant(number);
    MutantClasses classes;
    try {
      classes = MutantClasses.put(compiled.call());
    } catch (ExecutionException e) {
      return MutantVerdict.lives(number, "cannot be tried: " + e.getCause(), 0);
    } catch (Exception | LinkageError e) {
      return MutantVerdict.lives(number, "cannot be tried: " + e, 0);
    }
    Map<Long, String> kills = kills(mutant.dies());
    classes.takeAway(); // if that fails, so does the process: the next mutant would not be alone
    long millis = (System.nanoTime() - start) / 1_000_000;
    if (kills.isEmpty()) {
      return MutantVerdict.lives(number, "survives " + mostSeeds + " seeds", millis);
    }
    var first = kills.entrySet().iterator().next();
    List<String> anyway = broken(mutant.dies(), first.getKey());
    return anyway.isEmpty()
        ? MutantVerdict.killed(number, first.getKey(), first.getValue(), millis)
        : MutantVerdict.lives(
            number, "seed %d is broken without it: %s".formatted(first.getKey(), anyway), millis);
  }

  private static boolean hangs(List<String> broken) {
    return broken.stream().anyMatch(how -> how.contains(HANGS));
  }

  /**
   * Returns the findings by seed, up to the first that notices; the threads share only the next
   * number.
   */
  private Map<Long, String> kills(Seeds seeds) throws InterruptedException {
    var kills = new ConcurrentSkipListMap<Long, String>();
    var taken = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long seed;
                        kills.isEmpty() && (seed = taken.incrementAndGet()) <= mostSeeds; ) {
                      List<String> broken = broken(seeds, seed);
                      if (hangs(broken)) {
                        broken = broken(seeds, seed); // or the machine did
                      }
                      if (seed % SEEDS_PER_BEAT == 0) {
                        out.println(MutantVerdict.beat(beats.incrementAndGet()));
                      }
                      if (!broken.isEmpty()) {
                        kills.put(seed, broken.getFirst());
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return kills;
  }

  @SuppressWarnings("CatchingThrowable") // a broken class may throw anything at its test
  private static List<String> broken(Seeds seeds, long seed) {
    try {
      return seeds.broken(seed);
    } catch (Throwable e) {
      return List.of(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }
}
