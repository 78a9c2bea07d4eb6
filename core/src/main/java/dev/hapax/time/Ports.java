package dev.hapax.time;

/** Everything the engine takes from the machine beside its store and its destinations. */
public record Ports(Clock clock, RandomSource random, Threads threads) {
  public static Ports system() {
    return new Ports(new SystemClock(), new SystemRandom(), new SystemThreads());
  }
}
