package dev.hapax.time;

/**
 * Everything the engine takes from the machine beside its store and its destinations.
 *
 * @param process the process that the engine is in
 */
public record Ports(Clock clock, RandomSource random, Threads threads, ProcessScope process) {
  private static final ProcessScope THIS_PROCESS = new ProcessScope();

  /** For a process of its own. */
  public Ports(Clock clock, RandomSource random, Threads threads) {
    this(clock, random, threads, new ProcessScope());
  }

  public static Ports system() {
    return new Ports(new SystemClock(), new SystemRandom(), new SystemThreads(), THIS_PROCESS);
  }
}
