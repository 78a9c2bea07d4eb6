package dev.hapax.testkit.simulation;

/** Prints the trace hashes of some seeds; started in a process of its own. */
final class TraceHashes {
  private TraceHashes() {}

  public static void main(String[] seeds) {
    for (String seed : seeds) {
      System.out.println(of(Long.parseLong(seed)));
    }
  }

  static String of(long seed) {
    var result = Simulation.run(Choices.of(seed), Mutation.NONE, false);
    return seed + " " + Long.toHexString(result.trace().hash());
  }
}
