package dev.hapax.time;

import dev.hapax.flow.PortsHandle;

/**
 * Everything the engine takes from the machine, except its store and its destinations.
 *
 * @param process the process in which the engine runs
 */
public record Ports(Clock clock, RandomSource random, Threads threads, ProcessScope process)
    implements PortsHandle {
  private static final ProcessScope THIS_PROCESS = new ProcessScope();

  /** Uses a separate process scope. */
  public Ports(Clock clock, RandomSource random, Threads threads) {
    this(clock, random, threads, new ProcessScope());
  }

  public static Ports system() {
    return new Ports(new SystemClock(), new SystemRandom(), new SystemThreads(), THIS_PROCESS);
  }
}
